import type { TestProject } from 'vitest/node'
import { buildWeb } from '../browser/harness/build-web.ts'
import { type FoundBrowser, findBrowser, howToGetABrowser } from '../browser/harness/chromium.ts'
import { isBrowserTest } from './is-browser-test.ts'

declare module 'vitest' {
  interface ProvidedContext {
    browser: FoundBrowser
    isBrowserRequired: boolean
  }
}

/** Finds a browser and builds the console and the docs site, once per run with browser tests. Without a browser these tests are skipped, or fail if a browser is required. */
export default async function setup(project: TestProject): Promise<void> {
  const isBrowserRequired = [process.env.CI, process.env.REQUIRE_BROWSER].some(isOn)
  const isNeeded = project.vitest.state.getPaths().some(isBrowserTest)
  const browser: FoundBrowser = isNeeded ? await findBrowser() : { kind: 'missing', reason: 'no test asked for one' }
  if (browser.kind === 'found') await buildWeb()
  project.provide('browser', browser)
  project.provide('isBrowserRequired', isBrowserRequired)
  if (isNeeded && browser.kind === 'missing' && !isBrowserRequired)
    console.error(
      `SKIPPED: all browser tests, because no browser starts on this machine (${browser.reason}). ${howToGetABrowser}`,
    )
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value)
}
