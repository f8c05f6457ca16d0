import type { Browser } from 'playwright-core'
import { findBrowser, howToGetABrowser, launchChromium } from '../../tests/browser/harness/chromium.ts'

/** The browser that the tests use too. */
export async function openBrowser(): Promise<Browser> {
  const found = await findBrowser()
  if (found.kind === 'missing')
    throw new Error(`No browser starts on this machine (${found.reason}). ${howToGetABrowser}`)
  return launchChromium(found.browser)
}
