import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import { resource, subscription } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { journeyMs, openingMs, openSite, type Site, seed } from './harness/index.ts'
import { checkLooks } from './harness/looks.ts'
import { emitTransfer, type Seeded } from './harness/seed.ts'

let site: Site
let node: EvmNode
let receiver: Receiver
let seeded: Seeded
/** Subscription ids by name. */
const ids: Record<string, string> = {}
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  receiver = await startReceiver()
  receiver.answer = ({ path }) => ({ status: path.endsWith('gone') ? 410 : 204 })
  seeded = await seed(site.house, node)
  await subscribe('delivered', '')
  await subscribe('refused', 'gone')
  await subscribe('collected', '', { policy: { type: 'digest', every: '1h', max: 2 } })
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
  receiver?.close()
})

async function subscribe(name: string, path: string, extra: Parameters<typeof subscription>[1] = {}): Promise<void> {
  const fullname = `acme.${name}`
  const { owner } = seeded
  await owner.saveResource({ fullname, body: resource(fullname, { data: { url: `${receiver.url}/${path}` } }) })
  const body = subscription('acme.pay.transfer', { resources: [fullname], meta: { title: name }, ...extra })
  ids[name] = (await owner.createSubscription({ body })).id
}

async function open(page: Page, query: string, title: string | RegExp): Promise<void> {
  await page.goto(`/w/acme/alerts?${query}`)
  await page.getByRole('listitem').filter({ hasText: title }).getByRole('link').first().click()
  await page.getByRole('region', { name: 'Deliveries' }).waitFor()
}

test('an alert without a destination is “In app only”, not delivered', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: seeded.owner })
  await page.goto(`/w/acme/alerts?subscription=${seeded.subscription}`)
  const lines = page.getByRole('list', { name: 'Alerts, newest first' }).getByRole('listitem')
  await lines.getByText('In app only').nth(2).waitFor()
  expect(await lines.getByText('Delivered').count()).toBe(0)
  await lines.first().getByRole('link').click()
  await page.getByText('this alert is in the app only').waitFor()
  await checkLooks(page, 'alert-listed')
})

test(
  'retracted, failed and collected alerts show their status',
  async () => {
    const { owner } = seeded
    const snapshot = await node.request('evm_snapshot')
    await emitTransfer(node, 31n)
    await until(
      () => owner.listAlerts({ query: { subscription: ids.delivered ?? '', status: 'delivered' } }),
      ({ length }) => length === 1,
      60_000,
    )
    const page = await site.visit({ as: owner })
    await open(page, `subscription=${ids.refused}`, '31 ACME moved')
    await page.getByText('A delivery failed').waitFor()
    await page.getByRole('button', { name: 'Resend failed' }).waitFor()
    await checkLooks(page, 'alert-failed')
    await open(page, `subscription=${ids.collected}`, '31 ACME moved')
    await page.getByText(/^Queued for digest\. /).waitFor()
    await checkLooks(page, 'alert-collected')

    await node.request('evm_revert', [snapshot])
    for (let block = 0; block < 3; block++) await node.request('evm_mine')
    await until(
      () => owner.listAlerts({ query: { subscription: ids.delivered ?? '', status: 'retracted' } }),
      ({ length }) => length === 1,
      60_000,
    )
    await open(page, `subscription=${ids.delivered}&status=retracted`, '31 ACME moved')
    await page.getByText('This alert was retracted').waitFor()
    await page.getByRole('region', { name: 'Deliveries' }).getByText('retraction').waitFor()
    expect(await page.getByRole('button', { name: /^Resend/ }).count()).toBe(0)
    await checkLooks(page, 'alert-retracted')
  },
  journeyMs,
)

test('a digest lists its alerts', { timeout: journeyMs }, async () => {
  for (const tokens of [41n, 42n]) await emitTransfer(node, tokens)
  const page = await site.visit({ as: seeded.owner })
  await page.goto(`/w/acme/alerts?subscription=${ids.collected}`)
  const lines = page.getByRole('list', { name: 'Alerts, newest first' }).getByRole('listitem')
  await lines.getByText('Sent in a digest').nth(1).waitFor()
  await lines.getByText('Delivered').waitFor()
  await checkLooks(page, 'feed-digest')
  await lines.filter({ hasText: 'Delivered' }).getByRole('link').click()
  const digest = page.getByRole('region', { name: 'Alerts in this digest' })
  await digest.getByRole('link', { name: '41 ACME moved' }).waitFor()
  expect(await digest.getByRole('link').count()).toBe(2)
  await checkLooks(page, 'alert-digest')
  await digest.getByRole('link').first().click()
  await page.getByText(/^Sent in a digest\. /).waitFor()
})
