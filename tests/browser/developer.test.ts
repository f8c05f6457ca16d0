import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import { type Person, project, trigger } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { choose } from './harness/choose.ts'
import { journeyMs, openingMs, openSite, type Site } from './harness/index.ts'
import { emitTransfer, followNode, transferAbi } from './harness/seed.ts'

const rawTransform =
  'return { ...source, ...source.params, contract: source.address, amount: helpers.formatUnits(source.params.value, 18), chain: providers.p1 }'

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
  'a trigger built, tested on a block and published in the console tells the feed and a webhook what happens on chain',
  async () => {
    const { hash } = await emitTransfer(node, 7n)
    const receipt = (await node.request('eth_getTransactionReceipt', [hash])) as { blockNumber: string }
    const page = await site.visit({ as: dev })
    await startBuilding(page)
    await chooseEvent(page)
    await testOnBlock(page, Number(receipt.blockNumber))
    await addProvider(page)
    await writeScripts(page)
    await testOnBlock(page, Number(receipt.blockNumber))
    await lookBack(page, Number(receipt.blockNumber))
    await saveAndPublish(page)
    await changeAndPublish(page)
    await subscribe(page)

    await page.getByRole('link', { name: 'Watch its alerts' }).click()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('Nothing fits the filters').waitFor()
    await emitTransfer(node, 5n)
    const alert = page.getByRole('listitem').filter({ hasText: '5 ACME moved on chain 0x7a69' })
    await alert.waitFor()
    await until(
      async () => receiver.received.length,
      (count) => count > 0,
      60_000,
    )
    const { message } = JSON.parse(receiver.received[0]?.body ?? '').data
    expect(message).toMatchObject({ title: '5 ACME moved on chain 0x7a69', short: 'Look: 5' })
    await alert.getByText('Delivered').waitFor()

    await alert.getByRole('link').click()
    const trace = page.getByRole('region', { name: 'Trace' })
    await trace.getByRole('button', { name: /^Providers/ }).click()
    await trace.getByText('"0x7a69"').filter({ visible: true }).waitFor()
    await page.getByRole('button', { name: 'Send all again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await until(
      async () => receiver.received.length,
      (count) => count === 2,
      60_000,
    )
  },
  journeyMs,
)

test(
  'unsaved changes are not left without a question, neither by a link nor by closing the tab',
  async () => {
    await dev.saveTrigger({ fullname: 'acme.pay.tick', body: trigger('acme.pay.tick') })
    const page = await site.visit({ as: dev })
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    const leave = async (answer: string) => {
      await page.getByRole('link', { name: 'Resources' }).click()
      await question.getByRole('button', { name: answer }).click()
    }
    const titleOf = async () => (await dev.getTriggerDraft({ fullname: 'acme.pay.tick' })).meta.title
    await page.goto('/w/acme/triggers/acme.pay.tick')
    await page.getByRole('link', { name: 'Edit' }).click()
    await retitle(page, 'Tock')

    await leave('Stay here')
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await question.getByRole('button', { name: 'Stay here' }).click()
    await question.waitFor({ state: 'detached' })
    await page.goBack()
    await question.getByRole('button', { name: 'Stay here' }).click()
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    expect(await page.getByRole('textbox', { name: 'Title', exact: true }).inputValue()).toBe('Tock')

    await leave('Save draft and leave')
    await page.waitForURL('**/w/acme/resources')
    expect(await titleOf()).toBe('Tock')
    await page.goto('/w/acme/triggers/acme.pay.tick/edit')
    await retitle(page, 'Lost')
    await leave('Leave without saving')
    await page.waitForURL('**/w/acme/resources')
    expect(await titleOf()).toBe('Tock')
  },
  journeyMs,
)

async function retitle(page: Page, title: string): Promise<void> {
  await page.getByRole('tab', { name: 'Message' }).click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title)
}

async function startBuilding(page: Page): Promise<void> {
  await page.goto('/w/acme/triggers/new')
  await page.getByRole('textbox', { name: 'Title' }).fill('Big transfer')
  await page.getByRole('button', { name: 'Start building' }).click()
  await page.getByRole('heading', { level: 1, name: 'Big transfer' }).waitFor()
}

async function chooseEvent(page: Page): Promise<void> {
  await choose(page, 'Listens to', /^EVM event/)
  await choose(page, 'Source', /^Devnet/)
  await page.getByRole('textbox', { name: 'ABI' }).fill(transferAbi)
  await page.getByRole('radio', { name: /Transfer\(/ }).check()
  await page.getByRole('button', { name: 'Fit the rest to Transfer' }).click()
}

async function addProvider(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Providers' }).click()
  await page.getByRole('button', { name: 'Add a provider' }).click()
  await page.getByRole('menuitem', { name: /by the trigger's source/ }).click()
  const provider = page.getByRole('region', { name: 'Provider p1' })
  await provider.getByRole('textbox', { name: 'Method' }).fill('eth_chainId')
  await provider.getByRole('button', { name: 'Test this provider' }).click()
  await provider.getByText(/^Answered in/).waitFor()
  await provider.getByText('0x7a69').waitFor()
}

/** The editor offers what the sample holds, and marks the line that is wrong. */
async function writeScripts(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Scripts' }).click()
  await typeOver(page, 'Activation')
  await page.keyboard.type('const floor = 1n\nreturn source.params.')
  const marked = page
    .locator('.cm-gutter-lint .cm-gutterElement')
    .filter({ has: page.locator('.cm-lint-marker-error') })
  await marked.waitFor()
  await page.getByRole('option', { name: /^value/ }).click()
  await page.keyboard.type(' > floor')
  await marked.waitFor({ state: 'detached' })
  await typeOver(page, 'Raw transform')
  await page.keyboard.insertText(rawTransform)
}

async function typeOver(page: Page, label: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click()
  await page.keyboard.press('ControlOrMeta+A')
}

async function testOnBlock(page: Page, block: number): Promise<void> {
  const side = page.getByRole('complementary', { name: 'Try it' })
  await side.getByRole('textbox', { name: 'Block' }).fill(String(block))
  await side.getByRole('button', { name: 'Test', exact: true }).click()
  await side.getByText('It works', { exact: true }).waitFor()
  await side.getByRole('region', { name: 'Live preview' }).getByText('fires').waitFor()
}

/** The same definition as JSON, and how often it would have fired. */
async function lookBack(page: Page, block: number): Promise<void> {
  await page.getByRole('tab', { name: 'JSON' }).click()
  await page.getByRole('textbox', { name: 'Definition' }).getByText('"big-transfer"').waitFor()
  await page.getByRole('tab', { name: 'Backtest' }).click()
  await page.getByRole('radio', { name: 'Last blocks' }).press('ArrowRight')
  await page.getByRole('textbox', { name: 'From block' }).fill('0')
  await page.getByRole('textbox', { name: 'To block' }).fill(String(block))
  await page.getByRole('button', { name: 'Run as it stands here' }).click()
  await page.getByRole('img', { name: `Fired in ${block + 1} blocks: 1` }).waitFor()
}

async function saveAndPublish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('A draft, never published. Tested: it works.').waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.waitForURL('**/w/acme/triggers/acme.pay.big-transfer')
  await page.getByRole('region', { name: 'State' }).getByText('ready', { exact: true }).waitFor()
}

/** What would change is shown before it does. */
async function changeAndPublish(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('tab', { name: 'Message' }).click()
  await page.getByRole('textbox', { name: 'Message title' }).fill('{{raw.amount}} ACME moved on chain {{raw.chain}}')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('A draft beside what is published.').waitFor()
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByText('Publishing adds 1 and removes 1 lines.').waitFor()
  await page.getByText('ACME moved on chain').waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.waitForURL('**/w/acme/triggers/acme.pay.big-transfer')
}

async function subscribe(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Subscriptions' }).click()
  await page.getByRole('link', { name: 'New subscription' }).first().click()
  await page.getByRole('radio', { name: 'Pay' }).check()
  await next(page, 'What to hear')
  await page.getByRole('radio', { name: 'Big transfer' }).check()
  await next(page, 'Filters')
  await next(page, 'How often')
  await next(page, 'Words')
  await page.getByRole('textbox', { name: 'Short text' }).fill('Look: {{raw.amount}}')
  await next(page, 'Where to')
  await page.getByRole('button', { name: 'Add a destination' }).click()
  const place = page.getByRole('region', { name: 'New destination' })
  await place.getByRole('textbox', { name: 'Title' }).fill('Hook')
  await place.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
  await place.getByRole('button', { name: 'Save destination' }).click()
  await page.getByRole('checkbox', { name: 'Hook' }).waitFor()
  await page.getByRole('button', { name: 'Show the message' }).click()
  await page.getByRole('article', { name: 'Message: 7 ACME moved on chain 0x7a69' }).getByText('Look: 7').waitFor()
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByText('You are subscribed').waitFor()
}

async function next(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { level: 2, name: title }).waitFor()
}
