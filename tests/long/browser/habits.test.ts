import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { choose } from '../../browser/harness/choose.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { expectDanger } from '../../browser/harness/looks.ts'
import type { Person } from '../../harness/index.ts'

/** Properties of every page, each tested on one page. */

const root = fileURLToPath(new URL('../../..', import.meta.url))

let site: Site
let ann: Person
beforeAll(async () => {
  site = await openSite()
  ann = await site.house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  for (let count = 1; count <= 30; count++)
    await ann.createAddress({
      body: { type: 'plain', address: `account ${count}`, alias: `Alias ${String(count).padStart(2, '0')}` },
    })
}, openingMs)
afterEach(() => site.leave())
afterAll(() => site?.close())

const rows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

test('a first visit loads at most 250 kB, without the code of other pages', { timeout: journeyMs }, async () => {
  const page = await site.visit()
  const loaded: Promise<[string, number]>[] = []
  page.on('requestfinished', (request) =>
    loaded.push(request.sizes().then(({ responseBodySize }) => [new URL(request.url()).pathname, responseBodySize])),
  )
  await page.goto('/sign-in')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const files = await Promise.all(loaded)
  expect(files.length).toBeGreaterThan(3)
  expect(files.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(250_000)
  expect(files.filter(([path]) => /code-mirror|wizard|builder|edit-|data-table/.test(path))).toEqual([])
  // The browser loads Brotli files; the limit is for gzip.
  await promisify(execFile)(process.execPath, ['console/scripts/sizes.mjs'], { cwd: root })
})

test('lists filter, sort and page', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: ann })
  await page.goto('/addresses')
  await rows(page).first().waitFor()
  expect(await rows(page).count()).toBe(25)
  await page.getByRole('button', { name: 'Page 2 of Addresses' }).click()
  await rows(page).nth(25).waitFor({ state: 'detached' })
  expect(await rows(page).count()).toBe(5)
  await page.getByRole('button', { name: 'Page 1 of Addresses' }).click()
  const alias = page.getByRole('columnheader', { name: 'Alias' })
  for (const order of ['ascending', 'descending']) {
    await alias.getByRole('button').click()
    expect(await alias.getAttribute('aria-sort')).toBe(order)
  }
  await rows(page).first().getByText('Alias 30').waitFor()
  await page.getByRole('textbox', { name: 'Filter addresses' }).fill('account 17')
  await rows(page).nth(1).waitFor({ state: 'detached' })
  expect(await rows(page).first().textContent()).toContain('Alias 17')
})

test('a list of addresses is created, edited and deleted', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: ann, allows: /400 \(Bad Request\)/ })
  await page.goto('/w/acme/address-lists')
  await page.getByRole('button', { name: 'Create list' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Cold wallets')
  await dialog.getByRole('textbox', { name: 'Addresses' }).fill(`0x${'1'.repeat(40)}\n0x12\n`)
  await dialog.getByRole('button', { name: 'Create list' }).click()
  await dialog.getByText('An EVM address is 0x and 40 hexadecimal digits').waitFor()
  await dialog.getByRole('textbox', { name: 'Addresses' }).fill(`0x${'1'.repeat(40)}\n0x${'2'.repeat(40)}\n`)
  await dialog.getByRole('button', { name: 'Create list' }).click()
  await rows(page).filter({ hasText: 'acme.cold-wallets' }).waitFor()
  await page.getByRole('button', { name: 'Edit Cold wallets' }).click()
  await dialog.getByRole('textbox', { name: 'Addresses' }).fill(`0x${'3'.repeat(40)}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { addresses } = await ann.getAddressList({ fullname: 'acme.cold-wallets' })
  expect(addresses).toEqual([`0x${'3'.repeat(40)}`])
  await page.getByRole('button', { name: 'Delete Cold wallets' }).click()
  await page.getByRole('button', { name: 'Delete list' }).click()
  await page.getByText('No address lists yet').waitFor()
})

test('times are relative, and a tooltip shows the exact time', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: ann })
  await page.goto('/addresses')
  const time = page.locator('time').first()
  expect(await time.textContent()).toMatch(/just now|moment|minute/)
  await time.hover()
  await page.getByRole('tooltip').getByText(String(new Date().getFullYear())).waitFor()
})

test('a secret is shown once with a copy button, and revoking it needs a confirmation', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({ as: ann, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/account/tokens')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('pipeline')
  for (const scope of ['deliver', 'admin']) await page.getByRole('checkbox', { name: scope }).uncheck()
  await choose(page, 'Workspace', /^Acme$/)
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  await page.getByRole('button', { name: 'Copy token' }).click()
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
  await page.getByRole('button', { name: 'Done' }).click()
  const line = page.getByRole('row', { name: /pipeline read, write, publish acme/ })
  await line.waitFor()
  expect(await page.content()).not.toContain(secret)

  await expectDanger(line.getByRole('button', { name: 'Revoke pipeline' }))
  await line.getByRole('button', { name: 'Revoke pipeline' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect((await ann.listTokens()).map(({ name }) => name)).toContain('pipeline')
  await line.getByRole('button', { name: 'Revoke pipeline' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
  await line.waitFor({ state: 'detached' })
  expect((await ann.listTokens()).map(({ name }) => name)).not.toContain('pipeline')
})

test('copying also works on a page loaded by plain HTTP', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: ann })
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { get: () => undefined })")
  await page.goto('/addresses')
  await page.getByRole('button', { name: 'Copy address of Alias 01' }).click()
  await expectDanger(page.getByRole('button', { name: 'Remove Alias 01' }))
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const filter = page.getByRole('textbox', { name: 'Filter addresses' })
  await filter.press('ControlOrMeta+V')
  expect(await filter.inputValue()).toBe('account 1')
})

test('an error names the next step, and the form keeps its values', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: ann, allows: /status of 409 .*\/api\/addresses/ })
  await page.goto('/addresses')
  await page.getByRole('button', { name: 'Add address' }).click()
  const editor = page.getByRole('dialog', { name: 'Add address' })
  await editor.getByRole('textbox', { name: 'Address' }).fill(`0x${'a'.repeat(40)}`)
  await editor.getByRole('textbox', { name: 'Alias' }).fill('Alias 01')
  await editor.getByRole('button', { name: 'Add address' }).click()
  await editor.getByRole('alert').getByText('Choose another alias.').waitFor()
  expect(await editor.getByRole('textbox', { name: 'Alias' }).inputValue()).toBe('Alias 01')
})

test('an empty page names the next step', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: ann })
  const nexts: [string, string, string][] = [
    ['projects', 'No projects yet', 'Create project'],
    ['triggers', 'No triggers yet', 'Create trigger'],
    ['subscriptions', 'No subscriptions yet', 'Create subscription'],
    ['resources', 'No destinations yet', 'Create destination'],
    ['sources', 'No sources yet', 'Create source'],
    ['alerts', 'No alerts yet', 'Start first steps'],
  ]
  for (const [path, title, next] of nexts) {
    await page.goto(`/w/acme/${path}`)
    await page.getByRole('region', { name: title }).getByRole('link', { name: next }).waitFor()
  }
})

test('sign-in and navigation work by keyboard', { timeout: journeyMs }, async () => {
  const page = await site.visit()
  await page.goto('/sign-in')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip to content')
  await page.getByLabel('E-mail').focus()
  await page.keyboard.type(ann.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
  await page.getByRole('link', { name: 'Addresses' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Address book' }).waitFor()
  await page.getByRole('button', { name: 'Add address' }).press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Add address')
})
