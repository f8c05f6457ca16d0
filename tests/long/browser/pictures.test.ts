import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { whenSo } from '../../browser/harness/axe.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { transferAbi } from '../../browser/harness/seed.ts'
import { asEthereum, transferUsdc, usdc } from '../../browser/harness/usdc.ts'
import { type Receiver, startReceiver } from '../../harness/deliveries.ts'
import { until } from '../../harness/following.ts'
import { type Person, project, resource, subscription, trigger } from '../../harness/index.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

/** `SCREENSHOTS=docs/pictures npm run test:long -- tests/long/browser/pictures.test.ts` saves the screenshots. */
const folder = process.env.SCREENSHOTS
const bytesMax = 200_000
const largeTransfer = 'common.erc20.large-transfer'

let site: Site
let node: EvmNode
let receiver: Receiver
let owner: Person
let alert = ''
beforeAll(async () => {
  node = await startEvmNode({ chainId: 1 })
  site = await openSite(asEthereum(node))
  receiver = await startReceiver()
  receiver.answer = ({ path }) =>
    path.endsWith('ops') ? { status: 503, body: 'upstream connect error: no healthy upstream' } : { status: 204 }
  owner = await site.house.person('mara')
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme DeFi' } } })
  await until(
    () => owner.listProjects({ query: { scope: 'marketplace' } }),
    (projects) => projects.some(({ fullname }) => fullname === 'common.erc20'),
  )
  await saveDestinations()
  await saveWhales()
  await owner.createSubscription({
    body: subscription(largeTransfer, {
      workspace: 'acme',
      resources: ['acme.on-call'],
      meta: { title: 'Treasury desk' },
    }),
  })
  await until(
    () => owner.listRuntimeSources({ query: {} }),
    (sources) => sources.some(({ fullname, status }) => fullname === 'common.ethereum' && status === 'running'),
  )
  await passDay()
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
  receiver?.close()
})

async function saveDestinations(): Promise<void> {
  for (const [name, title] of [
    ['on-call', 'On-call'],
    ['ops', 'Ops webhook'],
  ] as const) {
    const fullname = `acme.${name}`
    const body = resource(fullname, { data: { url: `${receiver.url}/${name}` }, meta: { title } })
    await owner.saveResource({ fullname, body })
  }
}

/** A trigger of the workspace, for the builder. */
async function saveWhales(): Promise<void> {
  await owner.saveProject({
    fullname: 'acme.pay',
    body: project('acme.pay', { meta: { title: 'Stablecoin watch', description: '' } }),
  })
  const body = trigger('acme.pay.whales', {
    triggerSpec: { type: 'evm_log', dataSource: 'common.ethereum', contract: usdc, abiFragment: transferAbi },
    conditions: {
      all: [
        { param: 'source.params.value', op: 'gte', value: { amount: '1000000', decimals: 6 } },
        {
          any: [
            { param: 'source.params.to', op: 'ne', value: usdc },
            { param: 'source.params.from', op: 'eq', value: usdc },
          ],
        },
      ],
    },
    transform: { language: 'javascript', rawSource: whaleScript },
    outputSchema: { amount: 'string', to: 'string' },
    defaults: { title: '{{number raw.amount}} USDC moved', short: 'To {{raw.to}}' },
    meta: { title: 'Whale transfers', description: 'Fires when at least 1,000,000 USDC move' },
  })
  await owner.saveTrigger({ fullname: body.fullname, body })
}

const whaleScript = 'return { amount: helpers.formatUnits(source.params.value, 6), to: source.params.to }'

const hourMs = 3_600_000
/** Alerts of each hour, so that the charts have a shape. */
const perHour = [1, 0, 2, 1, 3, 2, 4, 3, 5, 3]

/** Hours with transfers. In the last one a second subscription has a destination that fails. */
async function passDay(): Promise<void> {
  let sent = 0
  for (const [at, count] of perHour.entries()) {
    if (at === perHour.length - 1) await addFailing()
    for (let n = 0; n < count; n++) await transferUsdc(node, 1_180_000n + BigInt((sent++ * 377_431) % 4_000_000))
    const expected = sent
    await until(
      () => owner.listAlerts({ query: { workspace: 'acme', limit: 100 } }),
      (alerts) => alerts.length >= expected,
    )
    if (at < perHour.length - 1) site.house.clock.advance(hourMs)
  }
  const failed = await until(
    async () => (await owner.listAlerts({ query: { workspace: 'acme' } })).find(({ retryError }) => retryError),
    (found) => found !== undefined,
  )
  alert = failed?.id ?? ''
}

async function addFailing(): Promise<void> {
  const resources = ['acme.ops', 'acme.on-call']
  const policy = { type: 'threshold', value: 'amount', above: '2000000' } as const
  await owner.createSubscription({
    body: subscription(largeTransfer, { workspace: 'acme', resources, policy, meta: { title: 'Over 2,000,000' } }),
  })
}

type Scene = {
  name: string
  path: () => string
  act?: (page: Page) => Promise<void>
  shows: string
}
const scenes: Scene[] = [
  { name: 'home', path: () => '/w/acme/home', shows: 'Recent alerts' },
  { name: 'alerts', path: () => '/w/acme/alerts', shows: 'USDC moved' },
  { name: 'alert', path: () => `/w/acme/alerts/${alert}`, shows: 'no healthy upstream' },
  { name: 'builder', path: () => '/w/acme/triggers/acme.pay.whales/edit', act: trySample, shows: 'Test passed' },
  { name: 'marketplace', path: () => '/marketplace', shows: 'Uniswap' },
  {
    name: 'wizard',
    path: () => `/w/acme/subscriptions/new?project=common.erc20&trigger=${largeTransfer}`,
    shows: 'Add filter',
  },
]

describe.each(scenes)('$name', ({ name, path, act, shows }) => {
  test('is shown at 1440 px, in a screenshot within the size limit', { timeout: journeyMs }, async () => {
    const page = await site.visit({ as: owner, timezoneId: 'UTC' })
    await page.clock.setFixedTime(site.house.clock.now())
    await page.goto(path())
    await act?.(page)
    await page.getByText(shows).first().waitFor()
    await whenSo(page, "!document.querySelector('.mantine-Skeleton-root') && document.fonts.status === 'loaded'")
    const picture = await page.screenshot({ animations: 'disabled' })
    expect(picture.length).toBeLessThanOrEqual(bytesMax)
    if (!folder) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.png`), picture)
  })
})

async function trySample(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Condition/ }).click()
  await page.getByRole('button', { name: 'Test on latest match' }).click()
  await page
    .getByText(/^True for the sample/)
    .first()
    .waitFor()
  await page.getByRole('article', { name: /^Message in / }).waitFor()
}
