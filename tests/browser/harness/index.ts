/** A browser in front of a real service, with signed-in users. It collects errors of the pages. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { type Harness, harness, type Person } from '../../harness/index.ts'
import { howToGetABrowser, launchChromium } from './chromium.ts'
import { openPage, slowness } from './slow-pages.ts'

export { seed } from './seed.ts'

type VisitOptions = BrowserContextOptions & {
  /** The signed-in user. */
  as?: Person
  /** The visit stays open until the site is closed. Its errors are reported by every `leave`. */
  stays?: boolean
  /** Errors in the browser's console that the test causes on purpose. */
  allows?: RegExp
  /** Addresses of other origins that the test opens on purpose. */
  visits?: RegExp
}
export type Site = {
  house: Harness
  /** Opens a page in its own browser context, without cookies and storage. */
  visit(options?: VisitOptions): Promise<Page>
  /** Expects no page error, no console error and no request to another origin, and ends the visits. */
  leave(): Promise<void>
  close(): Promise<void>
}

/** The time limit of a journey on a busy machine. */
export const journeyMs = 240_000 * slowness
export const openingMs = 420_000

export async function openSite(variables: Parameters<typeof harness>[0] = {}): Promise<Site> {
  const house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on', ...variables })
  const browser = await sharedBrowser().catch(async (error) => {
    await house.close()
    throw error
  })
  const troubles: string[] = []
  const passing: BrowserContext[] = []
  const staying: BrowserContext[] = []
  return {
    house,
    visit: async (options = {}) => {
      const context = await openContext(browser, house.url, options)
      ;(options.stays ? staying : passing).push(context)
      const page = await openPage(context)
      watch(page, house.url, troubles, options)
      return page
    },
    leave: async () => {
      await closeAll(passing)
      expect(troubles.splice(0)).toEqual([])
    },
    close: async () => {
      await closeAll([...passing, ...staying])
      await house.close()
    },
  }
}

let started: Promise<Browser> | undefined

/** One browser for all sites of this worker. It ends with the worker; every visit has its own context. */
async function sharedBrowser(): Promise<Browser> {
  const browser = await started?.catch(() => undefined)
  if (browser?.isConnected()) return browser
  started = launchBrowser()
  return started
}

async function launchBrowser(): Promise<Browser> {
  const found = inject('browser')
  if (found.kind === 'missing')
    throw new Error(`No browser starts on this machine (${found.reason}). ${howToGetABrowser}`)
  return launchChromium(found.browser)
}

async function closeAll(contexts: BrowserContext[]): Promise<void> {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
}

async function openContext(
  browser: Browser,
  url: string,
  { as, allows: _, stays: _s, visits: _v, ...options }: VisitOptions,
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...options,
  })
  context.setDefaultTimeout(60_000)
  if (as) {
    const answer = await context.request.post('/api/auth/sign-in/token', { data: { token: as.token } })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  return context
}

function watch(page: Page, url: string, troubles: string[], { allows, visits }: VisitOptions): void {
  const report = (trouble: string) => void troubles.push(`${new URL(page.url(), url).pathname}: ${trouble}`)
  page.on('pageerror', (error) => report(String(error.stack ?? error)))
  page.on('console', (message) => {
    const text = `${message.text()} (${message.location().url})`
    if (message.type() === 'error' && !allows?.test(text)) report(text)
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== new URL(url).origin && !visits?.test(request.url()))
      report(`requested ${request.url()}`)
  })
}
