import type { Page } from 'playwright-core'
import { whenSo } from './axe.ts'

/** Goes to an address as a link of the console does. The router is busy until the new page is shown. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
  await whenSo(
    page,
    `(({ status, location, resolvedLocation }) =>
      status === 'idle' && resolvedLocation?.href === location.href)(__TSR_ROUTER__.state)`,
  )
}
