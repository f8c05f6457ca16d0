import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import { type Person, project } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { journeyMs, openingMs, openSite, type Site } from './harness/index.ts'
import { emitTransfer, followNode, transferAbi } from './harness/seed.ts'

let site: Site
let node: EvmNode
let receiver: Receiver
let dev: Person
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  receiver = await startReceiver()
  dev = await site.house.person('dev')
  await dev.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  await dev.saveProject({
    fullname: 'acme.pay',
    body: project('acme.pay', { meta: { title: 'Pay', description: '' } }),
  })
  await followNode(dev, 'acme.devnet', node, 'Devnet')
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
  receiver?.close()
})

test(
  'a trigger built, tested on a block and published in the console tells a webhook what happens on chain',
  async () => {
    const { hash } = await emitTransfer(node, 7n)
    const receipt = (await node.request('eth_getTransactionReceipt', [hash])) as { blockNumber: string }
    const page = await site.visit({ as: dev })
    await startBuilding(page)
    await buildOnTransfers(page)
    await testOnBlock(page, Number(receipt.blockNumber))
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.waitForURL('**/w/acme/triggers/acme.pay.big-transfer')
    await page.getByRole('region', { name: 'State' }).getByText('ready', { exact: true }).waitFor()

    await subscribe(page)
    await emitTransfer(node, 5n)
    await until(
      async () => receiver.received.length,
      (count) => count > 0,
      60_000,
    )
    expect(JSON.parse(receiver.received[0]?.body ?? '').data.message.title).toBe('5000000000000000000 moved')
    await page.getByRole('link', { name: 'Watch its alerts' }).click()
    await page.getByText('5000000000000000000 moved').first().waitFor()
  },
  journeyMs,
)

async function startBuilding(page: Page): Promise<void> {
  await page.goto('/w/acme/triggers/new')
  await page.getByRole('textbox', { name: 'Title' }).fill('Big transfer')
  await page.getByRole('button', { name: 'Start building' }).click()
  await page.getByRole('heading', { level: 1, name: 'Big transfer' }).waitFor()
}

async function buildOnTransfers(page: Page): Promise<void> {
  await choose(page, 'Listens to', /^EVM event/)
  await choose(page, 'Source', /^Devnet/)
  await page.getByRole('textbox', { name: 'ABI' }).fill(transferAbi)
  await page.getByRole('radio', { name: /Transfer\(/ }).check()
  await page.getByRole('button', { name: /^Fit filters, output and transform/ }).click()
  await page.getByRole('tab', { name: 'Scripts' }).click()
  await page.getByRole('textbox', { name: 'Activation' }).fill("source.params.value !== '0'")
  await page.getByRole('tab', { name: 'Message' }).click()
  await page.getByRole('textbox', { name: 'Message title' }).fill('{{raw.value}} moved')
}

async function testOnBlock(page: Page, block: number): Promise<void> {
  const side = page.getByRole('complementary', { name: 'Try it' })
  await side.getByRole('textbox', { name: 'Block' }).fill(String(block))
  await side.getByRole('button', { name: 'Test', exact: true }).click()
  await side.getByText('It works', { exact: true }).waitFor()
  await side.getByRole('region', { name: 'Live preview' }).getByText('fires').waitFor()
}

async function subscribe(page: Page): Promise<void> {
  await page.goto('/w/acme/subscriptions')
  await page.getByRole('link', { name: 'New subscription' }).first().click()
  await page.getByRole('radio', { name: 'Pay' }).check()
  await next(page, 'What to hear')
  await page.getByRole('radio', { name: 'Big transfer' }).check()
  await next(page, 'Filters')
  await next(page, 'How often')
  await next(page, 'Where to')
  await page.getByRole('button', { name: 'Add a destination' }).click()
  const place = page.getByRole('region', { name: 'New destination' })
  await place.getByRole('textbox', { name: 'Title' }).fill('Hook')
  await place.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
  await place.getByRole('button', { name: 'Save destination' }).click()
  await page.getByRole('checkbox', { name: 'Hook' }).waitFor()
  await page.getByRole('button', { name: 'Show the message' }).click()
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByText('You are subscribed').waitFor()
}

async function next(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { level: 2, name: title }).waitFor()
}

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page
    .getByRole('textbox', { name: label, exact: true })
    .or(page.getByRole('combobox', { name: label, exact: true }))
    .click()
  await page.getByRole('option', { name: option }).click()
}
