import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { goToWhere } from '../../browser/harness/building.ts'
import { choose } from '../../browser/harness/choose.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { checkLooks } from '../../browser/harness/looks.ts'
import { nextFrames } from '../../browser/harness/when-loaded.ts'
import { type Receiver, startReceiver } from '../../harness/deliveries.ts'
import { query, until } from '../../harness/following.ts'
import { type Person, project, resource, subscription, trigger } from '../../harness/index.ts'

/** Destinations: health, tests and the feed under load. */

let site: Site
let receiver: Receiver
let ann: Person
let id: string
const second = 1_000
beforeAll(async () => {
  site = await openSite()
  receiver = await startReceiver()
  ann = await site.house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  await ann.saveProject({ fullname: 'acme.pay', body: project('acme.pay', { accessLevel: 'public' }) })
  const triggerSpec = { type: 'timer', interval: '1h' } as const
  const parts = { triggerSpec, transform: '({ at: source.timestampMs })', defaults: { title: 'Tick {{raw.at}}' } }
  const titled = (title: string) => ({ meta: { title } })
  for (const [name, extra] of [
    ['tick', titled('Tick')],
    ['silent', { activation: 'false', ...titled('Silent') }],
  ] as const) {
    const fullname = `acme.pay.${name}`
    await ann.saveTrigger({ fullname, body: trigger(fullname, { ...parts, ...extra }) })
  }
  const hook = resource('acme.hook', { data: { url: receiver.url }, meta: { title: 'Hook' } })
  await ann.saveResource({ fullname: 'acme.hook', body: hook })
  id = (await ann.createSubscription({ body: subscription('acme.pay.tick', { resources: ['acme.hook'] }) })).id
}, openingMs)
afterEach(async () => {
  receiver.answer = () => ({ status: 204 })
  await site.leave()
})
afterAll(async () => {
  await site?.close()
  receiver?.close()
})

/** Fires the timer and waits for a delivery attempt. */
async function tick(): Promise<void> {
  const before = receiver.received.length
  await until(
    async () => {
      site.house.clock.advance(600 * second)
      return receiver.received.length
    },
    (count) => count > before,
    60_000,
  )
}

test('a webhook gets headers and a body in its form, and a mistake is shown at its field', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({ as: ann, allows: /status of 400/ })
  await page.goto('/w/acme/resources/acme.hook')
  await page.getByText('Headers and body').click()
  await page.getByLabel('Headers').fill('Host: evil\nX-Key: k')
  await page.getByLabel('Body').fill('{"text": "{{message.title}}", "raw": {{raw}}}')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Host: is set by the service').waitFor()
  await page.getByLabel('Headers').fill('X-Key: k')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Destination saved.').waitFor()
  expect(await ann.testResource({ fullname: 'acme.hook' })).toMatchObject({ ok: true })
  const got = receiver.received.at(-1)
  expect(got?.headers['x-key']).toBe('k')
  expect(JSON.parse(got?.body ?? '')).toMatchObject({ text: 'Test message' })
  const plain = resource('acme.hook', { data: { url: receiver.url }, meta: { title: 'Hook' } })
  await ann.saveResource({ fullname: 'acme.hook', body: plain })
})

test('every page shows a failing destination, and its test shows the answer', {
  timeout: journeyMs,
}, async () => {
  receiver.answer = () => ({ status: 500 })
  await tick()
  await until(
    () => ann.getResource({ fullname: 'acme.hook' }),
    ({ health }) => health?.state === 'failing',
    60_000,
  )
  const page = await site.visit({ as: ann })
  await page.goto('/w/acme/alerts')
  const line = page.getByRole('list', { name: 'Alerts, newest first' }).getByRole('listitem').first()
  await line.getByText('Retrying').waitFor()
  await page.locator('main span', { hasText: /^Failed attempts$/ }).waitFor()
  await line.getByText(/^Last attempt failed: .* answered 500/).waitFor()
  await page
    .getByRole('region', { name: 'Failing destinations' })
    .getByText(/^Hook has been failing for/)
    .waitFor()
  await page.getByRole('link', { name: 'Destinations 1 failing' }).waitFor()
  await checkLooks(page, 'feed-failing')
  await page.getByRole('link', { name: 'Destinations 1 failing' }).click()
  await page.getByRole('row', { name: /Hook/ }).getByText('Failing', { exact: true }).waitFor()
  await page.goto(`/w/acme/subscriptions/${id}`)
  await page.getByRole('region', { name: 'Status' }).getByText('Failing', { exact: true }).waitFor()
  await page.goto('/w/acme/resources/acme.hook')
  const state = page.getByRole('region', { name: 'Status' })
  await state.getByText('Last error').waitFor()
  await state.getByRole('button', { name: 'Send test to Hook' }).click()
  await state.getByText('Test message failed').waitFor()
  await checkLooks(page, 'resource-failing')

  receiver.answer = () => ({ status: 200 })
  await state.getByRole('button', { name: 'Send test to Hook' }).click()
  await state.getByText('Test message sent').waitFor()
  await state.getByText(/HTTP 200/).waitFor()
  // Deliveries of alerts are retried meanwhile.
  const types = receiver.received.map(({ body }) => JSON.parse(body).type)
  expect(types.filter((type) => type === 'alert.test')).toHaveLength(2)
  await tick()
  await until(
    () => ann.getResource({ fullname: 'acme.hook' }),
    ({ health }) => health?.state === 'working',
    60_000,
  )
  await page.reload()
  await state.getByText('Working', { exact: true }).waitFor()
  expect(await page.getByRole('region', { name: 'Failing destinations' }).count()).toBe(0)
})

test('home shows a failing webhook, and three clicks resend what failed', { timeout: journeyMs }, async () => {
  const before = new Set((await ann.listAlerts()).map((alert) => alert.id))
  receiver.answer = () => ({ status: 503, headers: { 'retry-after': '7200' }, body: 'no healthy upstream' })
  await tick()
  const [alert] = await until(
    async () => (await ann.listAlerts()).filter((alert) => !before.has(alert.id) && alert.retryError !== undefined),
    (failed) => failed.length > 0,
    60_000,
  )
  const page = await site.visit({ as: ann })
  await page.goto(`/w/acme/alerts/${alert?.id}`)
  const deliveries = page.getByRole('region', { name: 'Deliveries' })
  await deliveries.getByRole('button', { name: /^Attempt \d+.*503/, expanded: true }).waitFor()
  await deliveries.getByRole('region', { name: 'Response 503' }).getByText('no healthy upstream').waitFor()
  const request = deliveries.getByRole('region', { name: /^Request POST/ })
  await request.getByText('webhook-signature: •••').waitFor()
  expect(await request.textContent()).not.toContain('/hook')
  await deliveries.getByRole('button', { name: 'Copy cURL command' }).waitFor()
  await checkLooks(page, 'alert-attempts')

  await page.goto('/w/acme/home')
  await page.getByRole('heading', { level: 1, name: '1 destination is failing.' }).waitFor()
  const banner = page.getByRole('region', { name: 'Failing destinations' })
  await banner.getByText(/^Hook has been failing for/).waitFor()
  await checkLooks(page, 'home-failing')

  const clicks: string[] = []
  const click = async (button: Locator) => {
    clicks.push((await button.textContent()) ?? '')
    await button.click()
  }
  await click(banner.getByRole('link', { name: 'Open destination' }))
  const state = page.getByRole('region', { name: 'Status' })
  await state.getByText(/^Status 503/).waitFor()
  await page.getByRole('img', { name: /^Deliveries to Hook in the last 24 hours/ }).waitFor()
  receiver.answer = () => ({ status: 204 })
  await click(page.getByRole('button', { name: 'Resend failed' }))
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('radio', { name: 'Since it began to fail' }).isChecked()).toBe(true)
  await checkLooks(page, 'resource-resend')
  await click(dialog.getByRole('button', { name: 'Resend', exact: true }))
  await page.getByText(/queued for resending/).waitFor()
  await until(
    () => ann.getAlert({ id: alert?.id ?? '' }),
    ({ status }) => status === 'delivered',
    60_000,
  )
  expect(clicks).toEqual(['Open destination', 'Resend failed', 'Resend'])
})

test('another destination is told when this one fails and when it works again', { timeout: journeyMs }, async () => {
  const pager = await startReceiver()
  const body = resource('acme.pager', { data: { url: pager.url }, meta: { title: 'Pager' } })
  await ann.saveResource({ fullname: 'acme.pager', body })
  const page = await site.visit({ as: ann })
  await page.goto('/w/acme/resources/acme.hook')
  const section = page.getByRole('region', { name: 'Tell me when delivery fails' })
  await choose(section, 'Destination that is told', /^Pager$/)
  await page.getByText('Pager is told when delivery fails.').waitFor()
  await checkLooks(page, 'resource-notify')
  const titles = () => pager.received.map(({ body }) => JSON.parse(body).data.message.title)
  receiver.answer = () => ({ status: 500 })
  await tick()
  await until(
    async () => {
      site.house.clock.advance(60 * second)
      return titles()
    },
    (told) => told.length === 1,
    60_000,
  )
  receiver.answer = () => ({ status: 204 })
  await tick()
  await until(
    async () => titles(),
    (told) => told.length === 2,
    60_000,
  )
  expect(titles()).toEqual(['Hook is failing', 'Hook works again'])
  await page.goto('/w/acme/alerts')
  await page.getByRole('link', { name: 'Hook works again' }).click()
  await page.getByRole('link', { name: 'Open destination' }).click()
  await page.waitForURL('**/resources/acme.hook')
  await choose(section, 'Destination that is told', /^Nobody$/)
  await page.getByText('Nobody is told when delivery fails.').waitFor()
  pager.close()
})

test('a test sends the sample that is shown, even if it does not match', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: ann })
  await page.goto('/w/acme/subscriptions/new?project=acme.pay&trigger=acme.pay.silent')
  await goToWhere(page)
  await page.getByRole('checkbox', { name: 'Hook' }).check()
  await page.getByRole('button', { name: 'Send test to Hook' }).click()
  await page.getByText('Test message sent').waitFor()
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByText(/^This sample does not match/).waitFor()
  const before = receiver.received.length
  await page.getByRole('button', { name: 'Send test', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Test message sent').waitFor()
  const shown = await page.getByRole('article', { name: /^Message: Tick/ }).getAttribute('aria-label')
  const tests = receiver.received.slice(before).filter(({ body }) => JSON.parse(body).type === 'alert.test')
  expect(tests.map(({ body }) => `Message: ${JSON.parse(body).data.message.title}`)).toEqual([shown])
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('You are subscribed').waitFor()
  expect(await page.getByText(/does not match/).count()).toBe(0)
})

test('channels that the operator has not set up are disabled and name the missing variables', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({ as: ann })
  await page.goto('/w/acme/resources/new')
  await page.getByText('Telegram setup is off. The operator must set TELEGRAM_BOT_TOKEN.').waitFor()
  await page.getByText('E-mail is off. The operator must set SMTP_URL and MAIL_FROM.').waitFor()
  for (const name of ['Telegram', 'E-mail']) expect(await page.getByRole('radio', { name }).isDisabled()).toBe(true)
  expect(await page.getByRole('radio', { name: 'Webhook' }).isEnabled()).toBe(true)
  await checkLooks(page, 'new-resource-off')
})

test('an account without a workspace can subscribe', { timeout: journeyMs }, async () => {
  const bob = await site.house.person('bob')
  const [own] = await bob.listWorkspaces()
  await bob.deleteWorkspace({ fullname: own?.fullname ?? '' })
  const page = await site.visit({ as: bob })
  await page.goto('/marketplace/acme.pay')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('button', { name: 'Create workspace and subscribe' }).click()
  await page.waitForURL('**/subscriptions/new?project=acme.pay')
  await page.getByRole('radio', { name: 'Tick' }).check()
  expect(await bob.listWorkspaces()).toMatchObject([{ fullname: own?.fullname, level: 'owner' }])
})

test('selected alerts are resent together, selected by click, by Shift and by keys', {
  timeout: journeyMs,
}, async () => {
  await copyAlert(4, 'Lost')
  await query(site.house, "update alerts set status = 'failed' where id like 'al_Lost%'")
  await query(
    site.house,
    `insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, due_at, created_at, updated_at)
     select 'dl_' || a.id, a.id, r.id, r.fullname, r.blueprint, 'dead', a.created_at, a.created_at, a.created_at
     from alerts a, resources r where a.id like 'al_Lost%' and r.fullname = 'acme.hook'`,
  )
  const page = await site.visit({ as: ann })
  await page.goto('/w/acme/alerts?status=failed')
  const box = (number: number) => page.getByRole('checkbox', { name: `Select Lost, ${number}` })
  await box(4).click()
  await box(2).click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('4 selected').waitFor()
  await page.keyboard.press('Space')
  await page.getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Pause subscription' }).click()
  await page.getByRole('dialog', { name: 'Pause 1 subscription?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await checkLooks(page, 'feed-selected')
  const before = receiver.received.length
  await page
    .getByRole('group', { name: 'Actions for the selected alerts' })
    .getByRole('button', { name: 'Resend' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Resend 3 alerts?' })
  await dialog.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('3 alerts queued for resending.').waitFor()
  await page.getByText('Select all 1 loaded').waitFor()
  const resent = await until(
    async () => receiver.received.slice(before).map(({ headers }) => headers['webhook-id']),
    (ids) => ids.length === 3,
    60_000,
  )
  expect(resent.toSorted()).toEqual(['al_Lost2', 'al_Lost3', 'al_Lost4'])
})

test('an open feed keeps only the newest 200 alerts, and polls only its first page', {
  timeout: journeyMs,
}, async () => {
  // The timer may be due once more, since the tests before move the clock. Its alert would be in the list too.
  await ann.pauseSubscription({ id })
  const page = await site.visit({ as: ann })
  await page.clock.install()
  await page.goto('/w/acme/alerts')
  const lines = page.getByRole('list', { name: 'Alerts, newest first' }).getByRole('listitem')
  await lines.first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  for (let batch = 0; batch < 2; batch++) {
    await copyAlert(250, `Batch ${batch}`)
    await lines.first().getByText(`Batch ${batch}, 250`).waitFor()
    expect(await lines.count()).toBeLessThanOrEqual(200)
  }
  expect(await lines.count()).toBe(200)
  await page.getByRole('button', { name: 'Load older alerts' }).click()
  await lines.nth(50).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Load older alerts' }).click()
  await lines.nth(99).waitFor()
  const titles = await lines.evaluateAll((rows) => rows.map((row) => row.querySelector('a')?.textContent))
  expect(titles).toEqual(Array.from({ length: 100 }, (_, at) => `Batch 1, ${250 - at}`))
  const polled: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/alerts') polled.push(searchParams.get('cursor') ?? 'first')
  })
  const answer = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/alerts')
  await page.clock.fastForward(30_000)
  await answer
  await page.clock.fastForward(30_000)
  await until(
    async () => polled,
    ({ length }) => length === 2,
  )
  expect(polled).toEqual(['first', 'first'])
  expect(await lines.count()).toBe(100)
})

/** Alerts as the engine records them, many at once. */
async function copyAlert(count: number, title: string): Promise<void> {
  await query(
    site.house,
    `insert into alerts (id, subscription_id, account_id, workspace_id, project_id, trigger_id, project, trigger,
       status, item_at, message, trace, created_at, updated_at)
     select 'al_' || $1::text || n, s.id, s.account_id, s.workspace_id, s.project_id, s.trigger_id, 'acme.pay',
       'acme.pay.tick', 'delivered', $3, json_build_object('title', $1::text || ', ' || n),
       '{"item":{},"inputs":{},"providers":{},"activated":true}', $3, $3
     from subscriptions s, generate_series(1, $2::int) as n where s.id = $4 order by n`,
    [title, count, site.house.clock.now(), id],
  )
}

test('a page that cannot be loaded shows an error and can be loaded again', { timeout: journeyMs }, async () => {
  const page = await site.visit({
    as: ann,
    allows: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|dynamically imported|preload CSS/,
  })
  await page.goto('/w/acme/alerts')
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Sources', exact: true }).click()
  const failure = page.getByRole('alert').getByText('This page could not be loaded')
  await failure.waitFor()
  // The browser asks for the stylesheet of the page only once, so the second attempt fails by the script.
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.evaluate(nextFrames)
  await failure.waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
})

test('a part whose file cannot be loaded leaves the rest of the page', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: ann, allows: /ERR_FAILED|dynamically imported|preload CSS/ })
  await page.route(/assets\/(docs-anchor|code-mirror|palette)-[^/]+$/, (route) => route.abort())
  await page.goto('/w/acme/triggers/acme.pay.tick/edit')
  await page.getByRole('tab', { name: 'JSON' }).click()
  const definition = page.getByRole('textbox', { name: 'Definition' })
  await definition.fill((await definition.inputValue()).replace('"title": "Tick"', '"title": "Tock"'))
  await page.getByRole('heading', { level: 1, name: 'Tock' }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  expect(await page.getByRole('link', { name: 'Docs', exact: true }).first().getAttribute('href')).toBe('/docs/')
  await definition.press('Control+k')
  await page.getByText('This part of the console could not be loaded').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Tock' }).waitFor()
})

test('the frame of the console is shown before its files are loaded', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: ann })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/w/acme/alerts', { waitUntil: 'commit' })
  await page.getByText('Loading Tocsin…').waitFor()
  const painted = await until(
    () => page.evaluate<number>("performance.getEntriesByType('paint').length"),
    (count) => count > 0,
    60_000,
  )
  expect(painted).toBeGreaterThan(0)
  release()
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
  expect(await page.getByText('Loading Tocsin…').isVisible()).toBe(false)
})

test('a channel that the console does not know has a form by its schema, masked secrets, a glyph and a preview', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({ as: ann })
  // A newer service may name an icon that this console does not have.
  await page.route('**/api/blueprints*', async (route) => {
    const response = await route.fetch()
    const list: { fullname: string; glyph: object }[] = await response.json()
    const json = list.map((each) =>
      each.fullname.endsWith('.ntfy') ? { ...each, glyph: { ...each.glyph, icon: 'feather' } } : each,
    )
    await route.fulfill({ response, json })
  })
  await page.goto('/w/acme/resources/new')
  await page.getByRole('radio', { name: /^ntfy/ }).check()
  await page.getByRole('textbox', { name: 'Topic' }).fill('acme-alerts-7')
  await page.getByRole('button', { name: 'Save destination' }).click()
  await page.getByText('Destination saved.').waitFor()
  expect(await ann.getResource({ fullname: 'acme.ntfy' })).toMatchObject({
    ready: true,
    data: { topic: 'acme-alerts-7' },
  })

  await page.goto('/w/acme/resources/acme.ntfy')
  const topic = page.getByLabel(/^Topic/)
  await topic.waitFor()
  expect(await topic.getAttribute('type')).toBe('password')
  await page.getByRole('button', { name: 'Show or hide Topic' }).click()
  expect(await topic.getAttribute('type')).toBe('text')
  await page.getByRole('heading', { name: 'ntfy', level: 1 }).waitFor()

  await page.goto(`/w/acme/subscriptions/${id}`)
  await page.getByRole('button', { name: 'Show message' }).click()
  await page.getByRole('tab', { name: 'ntfy' }).click()
  await page.getByRole('article', { name: 'Message in ntfy' }).getByText(/^Tick/).first().waitFor()
  await ann.deleteResource({ fullname: 'acme.ntfy' })
})
