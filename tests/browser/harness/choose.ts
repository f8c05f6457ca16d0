import type { Page } from 'playwright-core'

/** Chooses an option of a select. */
export async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page
    .getByRole('textbox', { name: label, exact: true })
    .or(page.getByRole('combobox', { name: label, exact: true }))
    .click()
  await page.getByRole('option', { name: option }).click()
}
