import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { totpCode, totpStep } from '../../../server/src/domain/accounts/totp.ts'
import { axeViolations } from '../../browser/harness/axe.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { type IdentityProvider, startIdentityProvider } from '../../harness/identity-provider.ts'
import { checkedClient, project, rejects } from '../../harness/index.ts'
import { type Mailbox, startMailbox } from '../../harness/mailbox.ts'
import { makeWallet } from '../../harness/wallet.ts'

/** The account page and the ways to sign in. Browsers offer passkeys for localhost, not for an IP address. */
let site: Site
let mail: Mailbox
let provider: IdentityProvider
beforeAll(async () => {
  mail = await startMailbox()
  provider = await startIdentityProvider()
  const variables = { SMTP_URL: mail.url, MAIL_FROM: 'Tocsin <alerts@tocsin.example>', ...provider.variables }
  site = await openSite({ HOST: 'localhost', ROLE: 'api', ...variables })
  provider.serve(site.house.url)
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await mail?.close()
  await provider?.close()
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
  expect(await page.getByRole('link', { name: 'Docs' }).getAttribute('href')).toBe('/docs/security#accounts')
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
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('not it at all')
  await dialog.getByRole('button', { name: 'Set up app' }).click()
  await dialog.getByText('The current password is wrong.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Set up app' }).click()
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
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
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
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await passkeys.getByText('Desk').waitFor({ state: 'detached' })
})

/** A session outside the browser. */
async function signInElsewhere(email: string) {
  const { token } = await site.house.nobody.signIn({ body: { email, password: next } })
  return checkedClient(site.house.url, token)
}

test('a forgotten password is reset by the mailed link, another session is ended, and the account is deleted', {
  timeout: journeyMs,
}, async () => {
  const ann = await site.house.person('ann')
  const page = await site.visit({ allows: /40[0139] \(/ })
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(ann.email)
  await page.getByRole('link', { name: 'Forgotten password?' }).click()
  // The sign-in page has a field of the same name, and stays until the next page is loaded.
  await page.getByRole('button', { name: 'Send link' }).waitFor()
  // The typed address is there, but not in the URL.
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(ann.email)
  expect(new URL(page.url())).toMatchObject({ pathname: '/forgot-password', search: '', hash: '' })
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('Look into your mailbox').waitFor()
  // On a busy machine a job may run twice, which sends a second link. Both work.
  await page.goto(await linkTo(ann.email, 'reset-password'))
  await page.getByRole('textbox', { name: 'New password' }).fill(next)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: 'Sign in with the new password' }).click()
  await signIn(page, ann.email, next)
  await isIn(page)
  const elsewhere = await signInElsewhere(ann.email)
  await page.goto('/account')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'End the session of node' }).click()
  await dialog.getByRole('button', { name: 'End session' }).click()
  await page.getByText('Session ended.').waitFor()
  await rejects(elsewhere.getMe(), { code: 'unauthenticated' })
  const owner = await signInElsewhere(ann.email)
  const [own] = await owner.listWorkspaces()
  const fullname = `${own?.fullname}.p`
  await owner.saveProject({ fullname, body: project(fullname) })
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(next)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText('You are the only owner of').waitFor()
  await owner.deleteProject({ fullname })
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL('**/sign-in')
  await rejects(signInElsewhere(ann.email), { code: 'unauthenticated' })
})

/** The pages of the provider ask for a font on the internet, which the tests never reach. */
async function visitWithProvider(options: Parameters<Site['visit']>[0] = {}) {
  const page = await site.visit({ ...options, visits: /^http:\/\/127\.0\.0\.1|fonts\.googleapis\.com/, allows: /./ })
  await page.route(/fonts\.googleapis\.com/, (route) => route.abort())
  return page
}

async function signInAtProvider(page: Page, name: string) {
  await page.locator('[name=login]').fill(name)
  await page.locator('[name=password]').fill('any')
  await page.locator('[type=submit]').click()
  await page.getByText('Authorize').waitFor()
  await page.locator('[type=submit]').click()
}

test('a person signs up with their organisation, and links it to another account in the account page', {
  timeout: journeyMs,
}, async () => {
  const page = await visitWithProvider()
  await page.goto('/sign-up?next=/account')
  await page.getByRole('link', { name: 'Sign up with your organisation' }).click()
  await signInAtProvider(page, 'olive')
  await section(page, 'Linked sign-ins').getByText(`olive at ${provider.issuer}`).waitFor()
  await section(page, 'Linked sign-ins').getByRole('button', { name: 'Remove olive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByText('It is your only way to sign in').waitFor()
  const ann = await site.house.person('ann')
  const other = await visitWithProvider({ as: ann })
  await other.goto('/account')
  await section(other, 'Linked sign-ins').getByRole('button', { name: 'Link your organisation' }).click()
  const dialog = other.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Go to your organisation' }).click()
  await signInAtProvider(other, 'ann')
  await section(other, 'Linked sign-ins').getByText(`ann at ${provider.issuer}`).waitFor()
  expect(await axeViolations(other)).toEqual([])
  await other.context().clearCookies({ name: /^tocsin_/ })
  await other.goto('/sign-in?next=/account')
  await other.getByRole('link', { name: 'Sign in with your organisation' }).click()
  await other.waitForURL('**/account')
  expect(await other.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(ann.email)
})

/** A wallet as a browser extension offers it (EIP-1193); the key stays in the test. */
async function addWallet(page: Page, wallet = makeWallet()) {
  await page.exposeFunction('askWallet', async ({ method, params }: { method: string; params?: string[] }) => {
    if (method === 'eth_requestAccounts') return [wallet.address]
    if (method !== 'personal_sign') throw new Error(`the wallet knows no ${method}`)
    const { signature } = await wallet.signText(Buffer.from((params?.[0] ?? '').slice(2), 'hex').toString())
    return signature
  })
  await page.addInitScript('window.ethereum = { request: (call) => window.askWallet(call) }')
  return wallet
}

test('a wallet is linked, signs in with the second factor, and is removed; a new one signs up', {
  timeout: journeyMs,
}, async () => {
  const ann = await site.house.person('ann')
  const page = await site.visit({ as: ann, allows: refused })
  const wallet = await addWallet(page)
  await page.goto('/account')
  const linked = section(page, 'Linked sign-ins')
  await linked.getByText('Nothing is linked.').waitFor()
  await linked.getByRole('button', { name: 'Link a wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Sign with the wallet' }).click()
  await linked.getByText(wallet.address.toLowerCase()).waitFor()
  const { secret } = await ann.createTotp({ body: { password } })
  const code = () => totpCode(secret, totpStep(site.house.clock.now()))
  await ann.confirmTotp({ body: { code: code() } })
  await page.context().clearCookies()
  await page.goto('/sign-in?next=/account')
  await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
  await page.getByText('The code is wrong or was used already.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Code' }).fill(code())
  await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
  await linked.getByRole('button', { name: 'Remove 0x' }).click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await linked.getByText('Nothing is linked.').waitFor()
  const fresh = await site.visit()
  const { address } = await addWallet(fresh)
  await fresh.goto('/sign-up?next=/account')
  await fresh.getByRole('button', { name: 'Sign up with a wallet' }).click()
  await section(fresh, 'Linked sign-ins').getByText(address.toLowerCase()).waitFor()
})

test('a mailed link confirms the address, and the page of a new password offers to end the tokens', {
  timeout: journeyMs,
}, async () => {
  const una = await site.house.person('una')
  const page = await site.visit({ as: una })
  await page.goto('/account')
  await section(page, 'E-mail address').getByText('Nobody has confirmed yet').waitFor()
  await section(page, 'E-mail address').getByRole('button', { name: 'Send a link' }).click()
  await page.goto(await linkTo(una.email, 'verify-email'))
  await page.getByText(`You are signed in as ${una.email}`).waitFor()
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await section(page, 'E-mail address').getByText('This address is confirmed.').waitFor()
  const { token } = await una.createToken({ body: { name: 'ci' } })
  await site.house.nobody.forgotPassword({ body: { email: una.email } })
  const visitor = await site.visit()
  await visitor.goto(await linkTo(una.email, 'reset-password'))
  await visitor.getByRole('textbox', { name: 'New password' }).fill(next)
  await visitor.getByRole('checkbox', { name: 'Also end all access tokens' }).check()
  expect(await axeViolations(visitor)).toEqual([])
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await visitor.getByText('All sessions have ended.').waitFor()
  await rejects(checkedClient(site.house.url, token).getMe(), { code: 'unauthenticated' })
})

/** The path and the fragment of the link to this page in the first mail to the address. */
async function linkTo(email: string, path: string): Promise<string> {
  const find = () =>
    mail.received.flatMap(({ to, text }) => (to[0] === email && new RegExp(`/${path}#\\S+`).exec(text)?.[0]) || [])
  await expect.poll(() => find().length).toBeGreaterThan(0)
  return find()[0] ?? ''
}
