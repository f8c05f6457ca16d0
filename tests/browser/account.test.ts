import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { totpCode, totpStep } from '../../server/src/domain/accounts/totp.ts'
import { type Mailbox, startMailbox } from '../harness/mailbox.ts'
import { axeViolations } from './harness/axe.ts'
import { journeyMs, openingMs, openSite, type Site } from './harness/index.ts'

/** The account page and the ways to sign in. Browsers offer passkeys for localhost, not for an IP address. */
let site: Site
let mail: Mailbox
beforeAll(async () => {
  mail = await startMailbox()
  const variables = { SMTP_URL: mail.url, MAIL_FROM: 'Tocsin <alerts@tocsin.example>' }
  site = await openSite({ HOST: 'localhost', ROLE: 'api', ...variables })
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await mail?.close()
})

const password = 'correct horse battery'
const next = 'another horse entirely'
const refused = /40[013] \(/

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function signIn(page: Page, email: string, password: string) {
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
const isIn = (page: Page) => page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))

test('the administrator of a fresh installation sets a name, an address and a password', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({ allows: refused })
  await page.goto('/sign-in')
  await page.getByText('Access token', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Access token' }).fill(site.house.service.firstAccount?.token ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await isIn(page)
  await page.goto('/account')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Olga Operator')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Name saved.').waitFor()
  await page.getByRole('textbox', { name: 'E-mail' }).fill('olga@example.org')
  await page.getByRole('button', { name: 'Save address' }).click()
  await page.getByText('E-mail address saved.').waitFor()
  await page.getByRole('textbox', { name: 'New password' }).fill('password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('is one of the most common passwords').waitFor()
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('textbox', { name: 'Current password' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  const other = await site.visit()
  await signIn(other, 'olga@example.org', password)
  await isIn(other)
  await other.setViewportSize({ width: 360, height: 800 })
  await other.goto('/account')
  await section(other, 'Sessions').getByText('this session').waitFor()
  const hidden = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await other.evaluate<number>(hidden)).toBe(0)
})

test('an authenticator app is set up, asked for at sign-in, and removed', { timeout: journeyMs }, async () => {
  const ann = await site.house.person('ann')
  const page = await site.visit({ as: ann, allows: refused })
  await page.goto('/account')
  const app = section(page, 'Authenticator app')
  await app.getByRole('button', { name: 'Set up authenticator app' }).click()
  const secret = (await app.locator('code').textContent()) ?? ''
  const code = () => totpCode(secret, totpStep(site.house.clock.now()))
  await app.getByRole('textbox', { name: 'Code' }).fill(code())
  await app.getByRole('button', { name: 'Confirm' }).click()
  await app.getByText('Save your recovery codes now').waitFor()
  const recovery = ((await app.locator('pre').textContent()) ?? '').split('\n')[0] ?? ''
  expect(await axeViolations(page)).toEqual([])
  const other = await site.visit({ allows: refused })
  await signIn(other, ann.email, password)
  await other.getByRole('textbox', { name: 'Code' }).fill('000000')
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByText('The code is wrong or was used already.').waitFor()
  await other.getByRole('textbox', { name: 'Code' }).fill(recovery)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await isIn(other)
  await app.getByRole('button', { name: 'Remove app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Remove app' }).click()
  await app.getByRole('button', { name: 'Set up authenticator app' }).waitFor()
})

test('a passkey is added, signs in alone and as a second factor, and is removed', { timeout: journeyMs }, async () => {
  const ann = await site.house.person('ann')
  const page = await site.visit({ as: ann, allows: refused })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/account')
  const passkeys = section(page, 'Passkeys')
  await passkeys.getByRole('textbox', { name: 'Name of the passkey' }).fill('Laptop')
  await passkeys.getByRole('button', { name: 'Add passkey' }).click()
  await passkeys.getByText('Save your recovery codes now').waitFor()
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await isIn(page)
  await page.context().clearCookies()
  await signIn(page, ann.email, password)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isIn(page)
  await page.goto('/account')
  await passkeys.getByRole('button', { name: 'Rename Laptop' }).click()
  await passkeys.getByRole('textbox', { name: 'New name' }).fill('Desk')
  await passkeys.getByRole('button', { name: 'Save' }).click()
  await passkeys.getByRole('button', { name: 'Remove Desk' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Remove passkey' }).click()
  await passkeys.getByText('Desk').waitFor({ state: 'detached' })
})

test('a forgotten password is reset by the mailed link, and the account is deleted', {
  timeout: journeyMs,
}, async () => {
  const ann = await site.house.person('ann')
  const page = await site.visit({ allows: /40[0139] \(/ })
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgotten password?' }).click()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(ann.email)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('Look into your mailbox').waitFor()
  await expect.poll(() => mail.received.length, { timeout: 20_000 }).toBe(1)
  await page.goto(/http\S+#\S+/.exec(mail.received[0]?.text ?? '')?.[0] ?? '')
  await page.getByRole('textbox', { name: 'New password' }).fill(next)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: 'Sign in with the new password' }).click()
  await signIn(page, ann.email, next)
  await isIn(page)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(next)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText('You are the only owner of').waitFor()
})
