import type { Page, Request } from 'playwright-core'
import { whenSo } from './axe.ts'

/**
 * Returns a function that waits until the page has asked for everything, has the answers and shows them. The stream of
 * events never ends, so it does not count.
 */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (/\/api\/(?!stream)/.test(request.url())) open.add(request)
  })
  const end = (request: Request) => void open.delete(request)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    // An answer may lead to the next request, so the page is idle only if it stays so for some frames.
    for (let idle = 0; idle < 3; idle = open.size === 0 ? idle + 1 : 0) await page.evaluate(nextFrames)
    await whenSo(page, isDrawn)
  }
}

/** Evaluates to a promise of the next two frames. */
export const nextFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
const isDrawn =
  "!document.querySelector('[aria-busy=true], .mantine-Skeleton-root, [data-loading=true]') && document.fonts.status === 'loaded'"
