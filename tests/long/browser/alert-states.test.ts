import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { goToWhere, openOptions } from '../../browser/harness/building.ts'
import { choose } from '../../browser/harness/choose.ts'
import { journeyMs, openingMs, openSite, type Site, seed } from '../../browser/harness/index.ts'
import { checkLooks } from '../../browser/harness/looks.ts'
import { emitTransfer, type Seeded } from '../../browser/harness/seed.ts'
import { type Receiver, startReceiver } from '../../harness/deliveries.ts'
import { query, until } from '../../harness/following.ts'
import { resource, subscription } from '../../harness/index.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

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

/** The account whose balance the story is about. */
const vault = `0x${'c1'.repeat(20)}`
const hex = (number: number | bigint) => `0x${number.toString(16)}`

/** Sets the balance, and mines up to the next block in which it is read, which is every fifth. */
async function readBalance(ether: bigint, afterSeconds: number): Promise<void> {
  await node.request('hardhat_setBalance', [vault, hex(ether * 10n ** 18n)])
  await node.request('evm_increaseTime', [afterSeconds])
  const number = Number(await node.request('eth_blockNumber'))
  await node.request('hardhat_mine', [hex(5 - (number % 5)), '0x1'])
}

/** Creates and publishes a trigger from a core action, and follows the link to subscribe to it. */
async function publishAction(page: Page, title: string): Promise<void> {
  await page.goto('/w/acme/triggers/new?project=acme.pay')
  await page.getByRole('radio', { name: title, exact: true }).check()
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.waitForURL('**/edit')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('link', { name: 'Subscribe', exact: true }).click()
  await page.getByRole('heading', { level: 2, name: 'What should Tocsin watch?' }).waitFor()
}

const policyTexts = { Value: 'balance', Bound: '10', 'Minimum duration': '5m', 'Repeat every': '1s' }
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const sentence = 'Send when balance stays below 10 for 5 minutes, and when it recovers'

/** Fills in “How often” of the options: a threshold, and one confirmation. */
async function choosePolicy(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Threshold' }).check()
  await choose(page, 'Alert when the value is', /^Below/)
  const { 'Repeat every': repeat, ...texts } = policyTexts
  for (const [name, text] of Object.entries(texts)) await field(page, name).fill(text)
  await page.getByText(`${sentence}.`, { exact: true }).waitFor()
  await field(page, 'Repeat every').fill(repeat)
  await page.getByText(`${sentence}, again every second while it lasts.`, { exact: true }).waitFor()
  await choose(page, 'Send', /^After a number of blocks/)
  await field(page, 'Blocks').fill('1')
}

test(
  'a threshold is chosen in the wizard, edited without loss, and its alerts are one story in the feed',
  async () => {
    const { owner } = seeded
    const page = await site.visit({ as: owner })
    await publishAction(page, 'Native balance')
    await page
      .getByRole('region', { name: 'Settings' })
      .getByLabel(/^account/i)
      .fill(vault)
    await goToWhere(page)
    await openOptions(page)
    await choosePolicy(page)
    await checkLooks(page, 'wizard-threshold')
    await page.getByRole('checkbox', { name: 'delivered' }).check()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('You are subscribed').waitFor()

    const subscriptions = await owner.listSubscriptions({ query: { workspace: 'acme' } })
    const made = subscriptions.find(({ trigger }) => trigger === 'acme.pay.native-balance')
    const policy = { type: 'threshold', value: 'balance', below: '10', for: '5m', repeat: '1s' }
    expect(made).toMatchObject({ policy, delivery: { finality: { confirmations: 1 } }, inputs: { account: vault } })
    const id = made?.id ?? ''
    await page.goto(`/w/acme/subscriptions/${id}/edit`)
    await goToWhere(page)
    await openOptions(page)
    for (const [name, text] of Object.entries(policyTexts)) expect(await field(page, name).inputValue()).toBe(text)
    expect(await field(page, 'Blocks').inputValue()).toBe('1')
    await page.getByRole('button', { name: 'Save and review' }).click()
    await page.getByText('Subscription saved').waitFor()
    expect({ ...(await owner.getSubscription({ id })), updatedAt: '' }).toEqual({ ...made, updatedAt: '' })

    await readBalance(9n, 60)
    await readBalance(9n, 360)
    await page.goto(`/w/acme/alerts?subscription=${id}`)
    const lines = page.getByRole('list', { name: 'Alerts, newest first' }).getByRole('listitem')
    await lines.getByText(/^Firing for \d+[smh]/).waitFor()
    await lines.getByText('Warning', { exact: true }).waitFor()
    await lines.getByText('Waiting for finality').waitFor()
    await node.request('evm_mine')
    const [firing] = await until(
      () => owner.listAlerts({ query: { subscription: id } }),
      ([alert]) => alert?.status === 'delivered',
    )
    const fired = await until(
      () => owner.getAlert({ id: firing?.id ?? '' }),
      ({ deliveries }) => deliveries.some(({ repeat }) => repeat !== undefined),
    )
    expect(fired).not.toHaveProperty('resolvedBy')

    await readBalance(20n, 60)
    await lines.getByText(/^Resolved after \d+[smh]/).waitFor()
    expect(await lines.count()).toBe(1)
    expect(await lines.getByRole('link').allTextContents()).toEqual(['Native balance', 'Fired', 'Resolved'])
    await checkLooks(page, 'feed-story')
    const [resolved] = await owner.listAlerts({ query: { subscription: id } })
    const { deliveries, resolvedBy } = await owner.getAlert({ id: fired.id })
    const repeated = deliveries.length === 2 ? 'Once' : `${deliveries.length - 1} times`
    const { id: resolvedId, createdAt, durationMs } = resolved ?? {}
    expect(resolvedBy).toEqual({ id: resolvedId, createdAt, durationMs })
    await lines.getByRole('link', { name: 'Fired' }).click()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText(repeated, { exact: true }).waitFor()
    const values = page.getByRole('region', { name: 'Value' })
    await values.getByRole('img', { name: /^The value over time: 20 at / }).waitFor()
    const rows = await values.getByRole('row').allTextContents()
    expect(rows.map((row) => row.replace(/^.*:\d\d(?=\d)/, ''))).toEqual(
      expect.arrayContaining(['TimeValueBoundEvent', '910', '2010Resolved']),
    )
    expect(rows.some((row) => row.endsWith('Fired'))).toBe(true)
    await checkLooks(page, 'alert-story')
    await timeline.getByRole('link', { name: 'open alert' }).click()
    await page.waitForURL(`**/alerts/${resolved?.id}`)
    await timeline.getByText(repeated, { exact: true }).waitFor()
    expect(await timeline.textContent()).toMatch(/Fired.*open alert.*Resolved.*this alert.*, after \d+[smh]/)

    await page.goto(`/w/acme/subscriptions/${id}/edit`)
    await goToWhere(page)
    await openOptions(page)
    const preview = page.getByRole('region', { name: 'Preview of the policy' })
    await preview
      .getByRole('status')
      .getByText(/would have fired 1 time and resolved 1 time\.$/)
      .waitFor()
    await checkLooks(page, 'policy-preview')
    await field(page, 'Bound').fill('5')
    await preview
      .getByRole('status')
      .getByText(/would have fired 0 times and resolved 0 times\.$/)
      .waitFor()
    expect(await preview.getByRole('row').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/95$/), expect.stringMatching(/205$/)]),
    )
    await field(page, 'Bound').fill('10')
  },
  journeyMs,
)

test(
  'a new subscription begins with past blocks, from the block that was chosen last',
  async () => {
    const { owner } = seeded
    const page = await site.visit({ as: owner })
    await page.goto('/w/acme/subscriptions/new?project=acme.pay&trigger=acme.pay.transfer')
    await goToWhere(page)
    await openOptions(page)
    await choose(page, 'Begin', /^From a block$/)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Enter the number of a block').waitFor()
    await field(page, 'First block').fill('1')
    await page.getByText(/^First, the blocks from block 1 on are run, .* listed in the app and not sent/).waitFor()
    await field(page, 'Title of the subscription').fill('Past')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('The subscription is saved and paused.').waitFor()
    await page.getByRole('button', { name: 'Where' }).click()
    await openOptions(page)
    await field(page, 'First block').fill('2')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('link', { name: 'Open subscription' }).click()
    await page.getByText(/^Done: blocks 2 to \d+$/).waitFor()
    const past = (await owner.listSubscriptions({ query: { workspace: 'acme' } })).filter(
      ({ meta }) => meta.title === 'Past',
    )
    expect(past).toMatchObject([{ status: 'active', history: { from: 2, state: 'done' } }])
    const alerts = await owner.listAlerts({ query: { subscription: past[0]?.id ?? '' } })
    expect(alerts.length).toBeGreaterThanOrEqual(3)
    expect(alerts.every(({ backfilled, hasDeliveries }) => backfilled && !hasDeliveries)).toBe(true)
  },
  journeyMs,
)

/** An hour later. Jobs start by the clock of the database, so the one that waits for the digest is started here. */
async function endDigest(): Promise<void> {
  site.house.clock.advance(3_600_000)
  await until(
    async () => {
      await query(site.house, "update pgboss.job set start_after = now() where name = 'policy' and start_after > now()")
      return seeded.owner.listAlerts({ query: { subscription: ids.collected ?? '', status: 'delivered' } })
    },
    ({ length }) => length > 0,
  )
}

// It moves the clock of the service, so it comes last.
test('a digest lists its alerts', { timeout: journeyMs }, async () => {
  for (const tokens of [41n, 42n]) await emitTransfer(node, tokens)
  await until(
    () => seeded.owner.listAlerts({ query: { subscription: ids.collected ?? '' } }),
    (alerts) => alerts.filter(({ status }) => status !== 'retracted').length === 2,
  )
  await endDigest()
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
