import type { Locator, Page } from 'playwright-core'

/** Chooses an option of a select in a page or in a part of it. The options are outside that part. */
export async function choose(within: Page | Locator, label: string, option: RegExp): Promise<void> {
  await within
    .getByRole('textbox', { name: label, exact: true })
    .or(within.getByRole('combobox', { name: label, exact: true }))
    .click()
  const page = 'page' in within ? within.page() : within
  await page.getByRole('option', { name: option }).click()
}
