import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { journeyMs, openingMs, openSite, type Site, seed } from '../../browser/harness/index.ts'
import { checkLooks } from '../../browser/harness/looks.ts'
import type { Seeded } from '../../browser/harness/seed.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

/** The parts of the console that are on every page, the home page and the feed. */

let site: Site
let node: EvmNode
let seeded: Seeded
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  seeded = await seed(site.house, node)
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
})

async function open(path: string, options: Parameters<Site['visit']>[0] = {}): Promise<Page> {
  const page = await site.visit({ as: seeded.owner, ...options })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return page
}

test('the palette finds pages and things by words, and opens them by keyboard', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/alerts')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('combobox').fill('token transfer')
  const option = palette.getByRole('option', { name: 'Token transfer acme.pay.transfer' })
  await option.waitFor()
  await checkLooks(page, 'palette')
  while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Token transfer' }).waitFor()
  await palette.waitFor({ state: 'detached' })

  await page.keyboard.press('/')
  await palette.getByRole('combobox').fill('no such thing')
  await palette.getByText('Nothing found for “no such thing”.').waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
})

test('what is typed right after Ctrl+K is searched for, also if the file of the palette comes later', {
  timeout: journeyMs,
}, async () => {
  const page = await open('/w/acme/alerts')
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(/\/palette-[^/]+\.js$/, async (route) => {
    asked.resolve()
    await released.promise
    await route.fallback()
  })
  const field = page.getByLabel('Search alerts')
  await field.focus()
  await page.keyboard.press('Control+k')
  await asked.promise
  await page.keyboard.type('token transfers')
  await page.keyboard.press('Backspace')
  released.resolve()
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('option', { name: 'Token transfer acme.pay.transfer' }).waitFor()
  expect(await palette.getByRole('combobox').inputValue()).toBe('token transfer')
  expect(await field.inputValue()).toBe('')
})

test('the palette says that the search failed, and does not say that nothing was found', {
  timeout: journeyMs,
}, async () => {
  const page = await open('/w/acme/alerts', { allows: /ERR_FAILED/ })
  await page.route(/\/api\/search/, (route) => route.abort())
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('combobox').fill('no such thing')
  await palette.getByText('Searching…').waitFor()
  await palette.getByText('The search failed').waitFor()
  expect(await palette.getByText(/^Nothing found/).count()).toBe(0)
})

test('keys jump to pages and show the list of keys, but not while the user types', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/home')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Search or jump to anything').waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
  await page.getByRole('textbox', { name: 'Search alerts' }).pressSequentially('gt?/')
  expect(await page.getByRole('textbox', { name: 'Search alerts' }).inputValue()).toBe('gt?/')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the top bar shows the way to the page, and the rail its place', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/triggers/acme.pay.transfer')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await crumbs.getByText('Token transfer').waitFor()
  expect(await crumbs.getByRole('listitem').allTextContents()).toEqual(['Triggers', 'Token transfer'])
  await crumbs.getByRole('link', { name: 'Triggers' }).click()
  await page.getByRole('heading', { level: 1, name: 'Triggers' }).waitFor()
  const rail = page.getByRole('navigation', { name: 'Main' })
  expect(await rail.getByRole('link', { name: 'Triggers' }).getAttribute('data-current')).toBe('true')
})

test('a phone has five tabs, and “More” opens the whole navigation', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/home', { viewport: { width: 390, height: 844 } })
  const tabs = page.getByRole('navigation', { name: 'Tabs' })
  await tabs.getByRole('link', { name: 'Alerts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
  expect(await page.getByRole('link', { name: 'Marketplace' }).count()).toBe(0)
  await tabs.getByRole('button', { name: 'More' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Marketplace' }).click()
  await page.getByRole('heading', { level: 1, name: 'Marketplace' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
})

test('the console says that the browser is offline, and that it is back', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/alerts', { allows: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ })
  await page.context().setOffline(true)
  await page.getByRole('status').getByText('You are offline').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
})

test('a service that fails for a while does not sign anybody out', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: seeded.owner, allows: /status of 400|answered 400/ })
  const isMe = (url: URL) => url.pathname === '/api/me'
  await page.route(isMe, (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/w/acme/alerts')
  const retry = page.getByRole('button', { name: 'Try again' })
  await retry.waitFor()
  expect(new URL(page.url()).pathname).toBe('/w/acme/alerts')
  await page.unroute(isMe)
  await retry.click()
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
})

test('a list of workspaces that cannot be read does not say that a member is none', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({ as: seeded.owner, allows: /status of 400/ })
  const isList = (url: URL) => url.pathname === '/api/workspaces'
  await page.route(isList, (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/w/acme/alerts')
  const retry = page.getByRole('main').getByRole('button', { name: 'Try again' })
  await retry.waitFor()
  expect(await page.getByText('You are not a member').count()).toBe(0)
  await page.unroute(isList)
  await retry.click()
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
})

test('the feed is searched, and a view keeps the filters', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/alerts')
  const rows = page.getByRole('list', { name: 'Alerts, newest first' }).getByRole('listitem')
  await rows.nth(2).waitFor()
  await rows.filter({ hasText: '990,000 ACME' }).getByText('Token transfer · Acme devnet').waitFor()
  await page.getByRole('textbox', { name: 'Search alerts' }).fill('990000')
  await rows.nth(1).waitFor({ state: 'detached' })
  await rows.getByText('990,000 ACME').waitFor()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Large ones')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rows.nth(2).waitFor()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Large ones', exact: true }).click()
  await rows.nth(1).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('q')).toMatch(/990000/)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Firing' }).click()
  await page.getByRole('region', { name: 'No alerts match the filters' }).waitFor()
})

test('home answers what needs a person, and shows what happened', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/home')
  await page.getByRole('heading', { level: 1, name: 'All quiet. Nothing needs you.' }).waitFor()
  await page.getByText('3 alerts in the last 24 hours').waitFor()
  const recent = page.getByRole('region', { name: 'Recent alerts' })
  await recent.getByText('990,000 ACME').waitFor()
  const chart = page.getByRole('region', { name: 'Alerts per hour' })
  await chart.getByRole('img', { name: /^The last 24 hours: 3 alerts/ }).waitFor()
  expect(await chart.getByRole('table').getByRole('row').count()).toBe(25)
  await page.getByRole('region', { name: 'Sources' }).getByText('Acme devnet').waitFor()
  await checkLooks(page, 'home')
  await page.getByText('7 d', { exact: true }).click()
  await page
    .getByRole('region', { name: 'Alerts per day' })
    .getByRole('img', { name: /^The last 7 days: 3/ })
    .waitFor()
  await page
    .getByRole('region', { name: 'Goals' })
    .getByRole('link', { name: /^Watch a wallet/ })
    .waitFor()
})

test('a part of a page that cannot be read says so, and not that there is nothing', {
  timeout: journeyMs,
}, async () => {
  const page = await open('/first-steps', { allows: /status of 400/ })
  const refused = /\/api\/(alerts|subscriptions|resources|triggers\/runtime-sources)(\?|$)|\/counts(\?|$)|\/logs\?/
  await page.route(refused, (route) => route.fulfill({ status: 400, json: {} }))
  const unread: [path: string, region: string, claim: string][] = [
    ['/w/acme/home', 'Recent alerts', 'No alerts yet'],
    ['/w/acme/home', 'Sources', 'No source is connected'],
    ['/w/acme/triggers/acme.pay.transfer', 'Subscribers', 'You have no subscription'],
    ['/w/acme/triggers/acme.pay.transfer', 'Last alerts', 'No alerts yet'],
    ['/w/acme/triggers/acme.pay.transfer', 'Pipeline of the trigger', 'has not fired yet'],
    ['/w/acme/resources/acme.hook', 'Deliveries', 'Nothing was sent'],
    ['/w/acme/resources/acme.hook', 'Tell me when delivery fails', 'Create another destination'],
  ]
  for (const [path, name, claim] of unread) {
    if (!page.url().endsWith(path)) await page.goto(path)
    const region = page.getByRole('region', { name, exact: true })
    await region.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await region.getByText(claim).count(), `${name} of ${path}`).toBe(0)
  }
  await page.goto('/w/acme/triggers/acme.pay.transfer')
  const end = page.getByRole('region', { name: 'Delete this trigger' })
  await end.getByText('Its subscriptions stop.').waitFor()
})

test('the log of a trigger says that a run failed and why, not that a delivery did', {
  timeout: journeyMs,
}, async () => {
  await site.house.database.query(
    `insert into trigger_logs (trigger_id, kind, status, message, reason_code, count, first_seen_at, last_seen_at)
     select id, 'delivery_failure', 'failed', 'transform: x is not defined', 'trigger.runtime_error', 1, now(), now()
     from triggers where fullname = 'acme.pay.transfer'`,
  )
  const page = await open('/w/acme/triggers/acme.pay.transfer')
  await page.getByText('Run failed: transform: x is not defined').waitFor()
  expect(await page.getByText('Delivery failed: transform').count()).toBe(0)
})

test.each([
  ['a table', '/w/acme/resources', /\/api\/resources\?/],
  ['a log', '/w/acme/triggers/acme.pay.transfer', /\/logs\?/],
  ['a page', '/w/acme/triggers/acme.pay.transfer', /\/api\/triggers\/acme\.pay\.transfer$/],
])(
  '%s that could not be read says so until an answer comes, also while it is asked again',
  { timeout: journeyMs },
  async (_, path, route) => {
    const page = await open('/first-steps', { allows: /status of 400/ })
    let isRefused = true
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let asked = 0
    await page.route(route, async (request) => {
      if (isRefused) return request.fulfill({ status: 400, json: {} })
      asked += 1
      await released
      return request.continue()
    })
    await page.goto(path)
    const retry = page.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    isRefused = false
    await retry.click()
    await expect.poll(() => asked).toBeGreaterThan(0)
    // Two frames later the page has rendered that it asks again.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await retry.count()).toBe(1)
    expect(await page.getByRole('status', { name: /^Loading/ }).count()).toBe(0)
    release()
    await retry.waitFor({ state: 'detached' })
  },
)

test.each([
  ['a table', '/w/acme/resources', /\/api\/resources\?/, 'On-call webhook'],
  ['the feed', '/w/acme/alerts', /\/api\/alerts\?/, '990,000 ACME'],
  ['the list of projects', '/w/acme/projects', /\/api\/projects(\?|$)/, 'Payments in ACME tokens'],
])('%s that cannot be read again keeps its rows and says so', { timeout: journeyMs }, async (_, path, route, row) => {
  const page = await open(path, { allows: /status of 400/ })
  const main = page.getByRole('main')
  await main.getByText(row).first().waitFor()
  await page.route(route, (request) => request.fulfill({ status: 400, json: {} }))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sources' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
  // The page reads a list again that it read a while ago.
  await page.clock.setSystemTime(Date.now() + 60_000)
  await page.goBack()
  const notice = main.getByRole('alert').filter({ hasText: 'The list could not be updated' })
  await notice.waitFor()
  expect(await main.getByText(row).count()).toBeGreaterThan(0)
  await checkLooks(page, `${path} not read again`)
  await page.unroute(route)
  await notice.getByRole('button', { name: 'Try again' }).click()
  await notice.waitFor({ state: 'detached' })
  expect(await main.getByText(row).count()).toBeGreaterThan(0)
})
