import { deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { type Receiver, startReceiver } from '../../harness/deliveries.ts'
import { until } from '../../harness/following.ts'
import { customSource, type Person, resource } from '../../harness/index.ts'
import { anchorHash } from '../../nodes/connected-solana.ts'
import { startSolana } from '../../nodes/solana.ts'
import { setIdl } from '../../nodes/solana-idls.ts'
import { startSubstrateNode } from '../../nodes/substrate.ts'

/** Watch an address on chains that are not EVM; `tests/browser/watch.test.ts` has the other journeys. */

let site: Site
let receiver: Receiver
let root: Person
beforeAll(async () => {
  site = await openSite()
  receiver = await startReceiver()
  root = await site.house.person('root')
  await root.saveWorkspace({ fullname: 'ops', body: { fullname: 'ops', meta: { title: 'Ops' } } })
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  receiver?.close()
})

const webhookAlerts = () => receiver.received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'alert')

/** Chooses an event, a webhook of its own, and starts. Resolves when the page waits for the first alert. */
async function alertAtWebhook(page: Page, event: string, hook: string): Promise<void> {
  const meta = { title: `Hook of ${event}` }
  await root.saveResource({ fullname: hook, body: resource(hook, { data: { url: receiver.url }, meta }) })
  await page.getByRole('button', { name: `Alert me about ${event} (event)` }).click()
  await page.getByRole('checkbox', { name: meta.title }).click()
  await page.getByRole('button', { name: 'Start watching' }).click()
  await page.getByText('Waiting for the first alert').waitFor()
}

/** Resolves when the source follows its chain, so that the next block counts. */
async function follow(fullname: string, source: Parameters<typeof customSource>[1]): Promise<void> {
  await root.saveCustomSource({ fullname, body: customSource(fullname, source) })
  await until(
    () => root.getCustomSource({ fullname }),
    ({ runtime }) => runtime?.processedBlock !== undefined,
    60_000,
  )
}

const hasAlertOf = (event: string) =>
  until(
    async () => webhookAlerts().filter(({ data }) => data.raw.event === event).length,
    (count) => count > 0,
    60_000,
  )

test(
  'a Solana program with its IDL on the chain offers its events, and one leads to an alert at a webhook',
  async () => {
    const chain = await startSolana()
    try {
      const idl = {
        address: chain.emitter,
        metadata: { name: 'shop', version: '0.1.0', spec: '0.1.0' },
        instructions: [],
        events: [{ name: 'Bought', discriminator: [...anchorHash('event:Bought')] }],
        types: [{ name: 'Bought', type: { kind: 'struct', fields: [{ name: 'amount', type: 'u64' }] } }],
      }
      const buy = async (units: bigint) => {
        const amount = Buffer.alloc(8)
        amount.writeBigUInt64LE(units)
        await chain.emit({ by: 'log' }, Buffer.concat([anchorHash('event:Bought'), amount]))
        chain.produceBlock()
      }
      await setIdl.anchor(chain, deflateSync(JSON.stringify(idl)))
      for (const units of [12n, 34n]) await buy(units)
      await follow('ops.solana', { kind: 'solana', endpoints: [chain.url], meta: { title: 'Solana devnet' } })
      const page = await site.visit({ as: root, allows: /status of 400/ })
      await page.goto(`/w/ops/watch/address?source=ops.solana&address=${chain.emitter}`)
      await page.getByRole('heading', { name: 'shop' }).waitFor()
      const bought = page
        .getByRole('region', { name: 'What it does' })
        .getByRole('listitem')
        .filter({ hasText: 'Bought' })
      await bought.getByText('2', { exact: true }).waitFor()
      await bought.getByText('Latest: amount 34').waitFor()
      await page.getByText(/^The numbers count the last \d+ blocks/).waitFor()
      await alertAtWebhook(page, 'Bought', 'ops.hook-solana')
      await buy(55n)
      await hasAlertOf('Bought')

      // A program without an IDL on the chain.
      await page.goto('/w/ops/watch/address?source=ops.solana&address=9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin')
      await page.getByText('Paste the interface', { exact: true }).click()
      const pasted = page.getByRole('textbox', { name: 'Interface of the program' })
      await pasted.fill('{"metadata":')
      await page.getByRole('button', { name: 'Read it' }).click()
      await page
        .getByText(/must be an object or its JSON text/)
        .first()
        .waitFor()
      await pasted.fill(JSON.stringify(idl))
      await page.getByRole('button', { name: 'Read it' }).click()
      await page.getByText('Its interface (IDL) is the one that you pasted.').waitFor()
      await page.getByRole('button', { name: 'Alert me about Bought (event)' }).waitFor()
    } finally {
      await chain.close()
    }
  },
  journeyMs,
)

test(
  'a pallet of a Substrate chain offers its events, and one leads to an alert at a webhook',
  async () => {
    const chain = await startSubstrateNode()
    try {
      await follow('ops.hub', { kind: 'substrate', endpoints: [chain.wsUrl], meta: { title: 'Asset Hub' } })
      await chain.transfer(chain.ann, chain.bob, 20_000_000_000n)
      const page = await site.visit({ as: root })
      await page.goto('/w/ops/watch/address?source=ops.hub')
      await page.getByLabel('Pallet or account').first().fill('Balances')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByRole('heading', { name: 'Balances' }).waitFor()
      const [transfer] = await Promise.all([
        page.getByRole('listitem').filter({ hasText: 'Transfer event' }).first(),
        page.getByText(/^The numbers count the last \d+ blocks/).waitFor(),
      ])
      await transfer.getByText('1', { exact: true }).waitFor()
      await transfer.getByText(/^Latest: from .*amount 2 /).waitFor()
      await alertAtWebhook(page, 'Transfer', 'ops.hook-substrate')
      const before = webhookAlerts().length
      await chain.transfer(chain.ann, chain.bob, 55n)
      await until(
        async () =>
          webhookAlerts()
            .slice(before)
            .map(({ data }) => data.raw.params?.amount),
        (amounts) => amounts.includes('55'),
        60_000,
      )
    } finally {
      await chain.close()
    }
  },
  journeyMs,
)
