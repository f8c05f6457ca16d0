import type { Locator, Page } from 'playwright-core'
import { choose } from './choose.ts'

/** The steps of building a trigger on calls in the console, by the forms alone. */

export async function startTrigger(page: Page, title: string): Promise<void> {
  await page.goto('/w/acme/triggers/new')
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

export async function chooseFunction(page: Page, contract: string): Promise<void> {
  await choose(page, 'Listens to', /^EVM call/)
  await choose(page, 'Source', /^Devnet/)
  await page.getByRole('textbox', { name: 'Contract' }).fill(contract)
  const abi = 'event Paused()\nfunction transfer(address to, uint256 amount) returns (bool)\nfunction pause()'
  await page.getByRole('textbox', { name: 'ABI' }).fill(abi)
  await page.getByRole('radio', { name: /transfer\(/ }).check()
  await page.getByRole('button', { name: 'Fill in from transfer' }).click()
}

/** A provider that runs only for some items, and that waits until the answer is there. */
export async function addWaitingProvider(page: Page, url: string): Promise<void> {
  await page.getByRole('tab', { name: /^Data/ }).click()
  await page.getByRole('button', { name: 'Add provider' }).click()
  await page.getByRole('menuitem', { name: /^HTTP request/ }).click()
  const provider = page.getByRole('region', { name: 'Provider p1' })
  await provider.getByRole('textbox', { name: 'URL' }).fill(url)
  await provider.getByText('Options', { exact: true }).click()
  await provider.getByRole('textbox', { name: 'Run only if' }).click()
  await page.keyboard.insertText('source.depth === 0')
  await provider.getByRole('switch', { name: 'Retry until the answer is there' }).check()
  const retry = provider.getByRole('group', { name: 'Retry' })
  await retry.getByRole('textbox', { name: 'Attempts' }).fill('4')
  await retry.getByRole('textbox', { name: 'Delay (ms)', exact: true }).fill('250')
  await choose(page, 'Backoff', /^The same delay$/)
  await retry.getByRole('textbox', { name: 'Wait for this path' }).fill('status')
  await retry.getByRole('textbox', { name: 'Value to wait for' }).click()
  await page.keyboard.insertText('"done"')
}

/** At least 5 tokens, and to an address of a list or with a known status. */
export async function addConditions(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Condition/ }).click()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await nameField(page, '1', 'source.params.am', 'source.params.amount')
  await choose(page, 'Operator of condition 1', /^is at least$/)
  await choose(page, 'Form of the value of condition 1', /^Amount in units$/)
  await page.getByRole('textbox', { name: 'Value of condition 1', exact: true }).fill('5')
  await page.getByRole('textbox', { name: 'Decimals: Value of condition 1' }).fill('18')
  await page.getByRole('button', { name: 'Add group' }).click()
  const group = page.getByRole('group', { name: 'Group 2' })
  await nameField(page, '2.1', 'source.params.t', 'source.params.to')
  await choose(page, 'Operator of condition 2.1', /^is one of$/)
  await choose(page, 'Form of the value of condition 2.1', /^Address list$/)
  await choose(page, 'Value of condition 2.1', /^Whales/)
  await group.getByRole('button', { name: 'Add condition' }).click()
  await combo(page, 'Field of condition 2.2').fill('providers.p1.status')
  await page.getByRole('textbox', { name: 'Value of condition 2.2', exact: true }).fill('unknown')
}

/** Types the beginning of a param and takes the completion. */
async function nameField(page: Page, number: string, typed: string, param: string): Promise<void> {
  await combo(page, `Field of condition ${number}`).fill(typed)
  await page.getByRole('option', { name: param, exact: true }).click()
}

function combo(page: Page, name: string): Locator {
  return page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }))
}
