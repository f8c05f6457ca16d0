import type { Page } from 'playwright-core'

/** Counts the clicks of the user from now on, also those that the browser makes for the Enter key. */
export function countClicks(page: Page): Promise<unknown> {
  return page.addInitScript(
    "addEventListener('click', (event) => event.isTrusted && sessionStorage.setItem('clicks', 1 + Number(sessionStorage.getItem('clicks'))), true)",
  )
}

export async function clicksOf(page: Page): Promise<number> {
  return Number(await page.evaluate("sessionStorage.getItem('clicks')"))
}
