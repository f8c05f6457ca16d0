import type { BrowserContext, Page } from 'playwright-core'

/**
 * Makes pages slow, so that a test fails if it does not wait for what it needs. `SLOW_PAGES=<ms>` delays every request of a
 * page, or only those whose path matches `SLOW_ONLY=<regex>`. `SLOW_CPU=<n>` makes the scripts of a page n times slower.
 */
const { SLOW_PAGES, SLOW_ONLY = '', SLOW_CPU } = process.env

/** How many times longer a journey may take. */
export const slowness = SLOW_PAGES || SLOW_CPU ? 4 : 1

export async function openPage(context: BrowserContext): Promise<Page> {
  if (SLOW_PAGES) await delayRequests(context, Number(SLOW_PAGES), new RegExp(SLOW_ONLY))
  const page = await context.newPage()
  if (SLOW_CPU) await slowScripts(page, Number(SLOW_CPU))
  return page
}

/** A route of the page itself comes first: a request that the test answers has no delay. */
async function delayRequests(context: BrowserContext, delayMs: number, only: RegExp): Promise<void> {
  const isSlow = ({ pathname }: URL) => only.test(pathname)
  await context.route(isSlow, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    // The page may have closed.
    await route.fallback().catch(() => undefined)
  })
}

async function slowScripts(page: Page, rate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
}
