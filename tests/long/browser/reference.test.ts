import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { axeViolations } from '../../browser/harness/axe.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import type { Person } from '../../harness/index.ts'

/** The API reference at /api/docs and the docs site at /docs. */

let site: Site
let ann: Person
beforeAll(async () => {
  site = await openSite({ ROLE: 'api' })
  ann = await site.house.person('ann')
}, openingMs)
afterEach(() => site.leave())
afterAll(() => site?.close())

test('a search finds operations, and a link opens one', { timeout: journeyMs }, async () => {
  const page = await site.visit()
  await page.goto('/api/docs')
  await page.getByRole('searchbox', { name: 'Search' }).fill('save trigger draft')
  await page.getByText(/^\d+ of \d+ operations$/).waitFor()
  await page.locator('#saveTriggerDraft').waitFor()
  expect(await page.locator('#getHealth').isVisible()).toBe(false)
  await page.goto('/api/docs#schema-TriggerSave')
  await page.locator('#schema-TriggerSave[open]').waitFor()
})

test('a request is sent with a token, and another one with the session of the console', {
  timeout: journeyMs,
}, async () => {
  const stranger = await site.visit({ allows: /401/ })
  await stranger.goto('/api/docs#getMe')
  const form = stranger.getByRole('form', { name: 'Try getMe' })
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('unauthenticated').waitFor()
  await stranger.getByLabel('Token for “Try it”').fill(ann.token)
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText(ann.email).waitFor()

  const page = await site.visit({ as: ann })
  await page.goto('/api/docs#saveWorkspace')
  const save = page.getByRole('form', { name: 'Try saveWorkspace' })
  await save.getByRole('button', { name: 'Send' }).click()
  await save.getByText('"level": "owner"').waitFor()
  expect((await ann.getWorkspace({ fullname: 'acme' })).meta.title).toBe('Acme')
})

test('the reference has the colours that were chosen in the console', { timeout: journeyMs }, async () => {
  const page = await site.visit({ colorScheme: 'light' })
  const backgroundOf = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  await page.goto('/api/docs')
  const light = await backgroundOf()
  await page.evaluate(() => localStorage.setItem('tocsin-color-scheme', 'dark'))
  await page.reload()
  expect(await backgroundOf()).not.toBe(light)
  expect(await axeViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.evaluate(() => localStorage.setItem('tocsin-color-scheme', 'light'))
  await page.reload()
  expect(await backgroundOf()).toBe(light)
})

test('the samples follow the chosen language', { timeout: journeyMs }, async () => {
  const page = await site.visit()
  await page.goto('/api/docs#listAlerts')
  const operation = page.locator('#listAlerts')
  await operation.getByText('curl "$TOCSIN_URL/api/alerts"').waitFor()
  await page.getByRole('radio', { name: 'SDK' }).check()
  await operation.getByText('client.listAlerts()').waitFor()
  await page.getByRole('radio', { name: 'CLI' }).check()
  await operation.getByText('tocsin alerts').waitFor()
})

test('the docs site is searched without a request to another origin', { timeout: journeyMs }, async () => {
  const page = await site.visit()
  await page.goto('/docs/errors')
  await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('replica')
  await page.locator('#hits a').first().click()
  await page.waitForURL(/\/docs\/[\w/]+#\S+$/)
})

test.each(['light', 'dark'] as const)(
  'the docs site is accessible and fits a phone in %s',
  { timeout: journeyMs },
  async (colorScheme) => {
    const page = await site.visit({ colorScheme, viewport: { width: 360, height: 740 } })
    await page.goto('/docs/errors')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    expect(await axeViolations(page)).toEqual([])
  },
)

test('on a phone the docs site has a menu, copies code, and keeps the chosen colours', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({
    colorScheme: 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 360, height: 740 },
  })
  await page.goto('/docs/guide/quickstart')
  await page.locator('.code').first().getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const code = await page.locator('.code code').first().textContent()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(code)

  await page.getByRole('button', { name: 'Dark colours' }).click()
  await page.getByRole('button', { name: 'Pages' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Concepts' }).click()
  await page.waitForURL('**/docs/guide/concepts')
  await page.getByRole('button', { name: 'Light colours' }).waitFor()
  const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  expect(background).toBe('rgb(13, 20, 18)')
  expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false)
})

test('the page lists its parts beside a wide text', { timeout: journeyMs }, async () => {
  const page = await site.visit({ viewport: { width: 1440, height: 900 } })
  await page.goto('/docs/guide/triggers')
  const contents = page.getByRole('navigation', { name: 'On this page' })
  await contents.getByRole('link').last().click()
  await page.waitForURL(/\/docs\/guide\/triggers#\S+$/)
  expect(await axeViolations(page)).toEqual([])
})
