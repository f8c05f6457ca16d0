import type { Page } from 'playwright-core'

/** Picks from a list that opens below its field. */
export async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page
    .getByRole('textbox', { name: label, exact: true })
    .or(page.getByRole('combobox', { name: label, exact: true }))
    .click()
  await page.getByRole('option', { name: option }).click()
}
