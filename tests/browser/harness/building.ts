import type { Page } from 'playwright-core'
import { choose } from './choose.ts'
import { transferAbi } from './seed.ts'

/** The steps of building a trigger in the console. */

const rawTransform =
  'return { ...source, ...source.params, contract: source.address, amount: helpers.formatUnits(source.params.value, 18), chain: providers.p1 }'

export async function retitle(page: Page, title: string): Promise<void> {
  await page.getByRole('tab', { name: /^Message/ }).click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title)
}

export async function chooseEvent(page: Page): Promise<void> {
  await choose(page, 'Listens to', /^EVM event/)
  await choose(page, 'Source', /^Devnet/)
  await page.getByRole('textbox', { name: 'ABI' }).fill(transferAbi)
  await page.getByRole('radio', { name: /Transfer\(/ }).check()
  await page.getByRole('button', { name: 'Fill in from Transfer' }).click()
}

export async function addProvider(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Data/ }).click()
  await page.getByRole('button', { name: 'Add provider' }).click()
  await page.getByRole('menuitem', { name: /^JSON-RPC of the source/ }).click()
  const provider = page.getByRole('region', { name: 'Provider p1' })
  await provider.getByRole('textbox', { name: 'Method' }).fill('eth_chainId')
  await provider.getByRole('button', { name: 'Test provider' }).click()
  await provider.getByText(/^Responded in/).waitFor()
  await provider.getByText('0x7a69').waitFor()
}

/** Checks that the editor completes from the sample and marks the line with an error. */
export async function writeScripts(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Condition/ }).click()
  await typeOver(page, 'Activation')
  await page.keyboard.type('const floor = 1n\nreturn source.params.')
  const marked = page
    .locator('.cm-gutter-lint .cm-gutterElement')
    .filter({ has: page.locator('.cm-lint-marker-error') })
  await marked.waitFor()
  await page.getByRole('option', { name: /^value/ }).click()
  await page.keyboard.type(' > floor')
  await marked.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: /^Data/ }).click()
  await typeOver(page, 'Raw transform')
  await page.keyboard.insertText(rawTransform)
}

async function typeOver(page: Page, label: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click()
  await page.keyboard.press('ControlOrMeta+A')
}

export async function testOnBlock(page: Page, block: number): Promise<void> {
  const side = page.getByRole('complementary', { name: 'Test' })
  await side.getByRole('textbox', { name: 'Block' }).fill(String(block))
  await side.getByRole('button', { name: 'Test', exact: true }).click()
  await side.getByText('Test passed', { exact: true }).waitFor()
  await side.getByRole('region', { name: 'Live preview' }).getByText('fires').waitFor()
}

/** Checks the JSON tab and runs a backtest. */
export async function lookBack(page: Page, block: number): Promise<void> {
  await page.getByRole('tab', { name: 'JSON' }).click()
  await page.getByRole('textbox', { name: 'Definition' }).getByText('"big-transfer"').waitFor()
  await page.getByRole('tab', { name: 'Backtest' }).click()
  await page.getByRole('radio', { name: 'Last blocks' }).press('ArrowRight')
  await page.getByRole('textbox', { name: 'From block' }).fill('0')
  await page.getByRole('textbox', { name: 'To block' }).fill(String(block))
  await page.getByRole('button', { name: 'Run this draft' }).click()
  await page.getByRole('img', { name: `Fired in ${block + 1} blocks: 1` }).waitFor()
}

export async function saveAndPublish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft, never published. Test passed.').waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.waitForURL('**/w/acme/triggers/acme.pay.big-transfer')
  await page.getByRole('main').getByText('Ready', { exact: true }).first().waitFor()
}

/** Changes the message, checks the Changes tab and publishes. */
export async function changeAndPublish(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('tab', { name: /^Message/ }).click()
  await page.getByRole('textbox', { name: 'Message title' }).fill('{{raw.amount}} ACME moved on chain {{raw.chain}}')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Unpublished draft.').waitFor()
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByText('Publishing adds 1 and removes 1 lines.').waitFor()
  await page.getByText('ACME moved on chain').first().waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.waitForURL('**/w/acme/triggers/acme.pay.big-transfer')
}

export async function subscribe(page: Page, url: string): Promise<void> {
  await page.getByRole('link', { name: 'Subscriptions' }).click()
  await page.getByRole('link', { name: 'Create subscription' }).first().click()
  // The list of projects closes with the choice, so the radio button is gone after the click.
  await page.getByRole('radio', { name: 'Pay' }).click()
  await page.getByRole('radio', { name: 'Big transfer' }).check()
  await goToWhere(page)
  await openOptions(page)
  await page.getByRole('textbox', { name: 'Short text' }).fill('Look: {{raw.amount}}')
  await page.getByRole('button', { name: 'Add destination' }).click()
  const place = page.getByRole('region', { name: 'New destination' })
  await place.getByRole('textbox', { name: 'Title' }).fill('Hook')
  await place.getByRole('textbox', { name: 'URL' }).fill(url)
  await place.getByRole('button', { name: 'Save destination' }).click()
  await page.getByRole('checkbox', { name: 'Hook' }).waitFor()
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('article', { name: 'Message: 7 ACME moved on chain 0x7a69' }).getByText('Look: 7').waitFor()
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('You are subscribed').waitFor()
}

/** Continues to the second step of the wizard. */
export async function goToWhere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { level: 2, name: 'Where should it go?' }).waitFor()
}

/** Opens the folded options of the second step. */
export async function openOptions(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'Options' }).click()
}
