import type { Page, Request } from 'playwright-core'

/** `isAsked` resolves when the page has sent such a request. */
export type Held = { isAsked: Promise<void>; release: () => void }

/** Holds the requests that match until `release` is called. */
export async function hold(page: Page, matches: (request: Request) => boolean): Promise<Held> {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    if (matches(route.request())) {
      asked.resolve()
      await released.promise
    }
    await route.fallback()
  })
  return { isAsked: asked.promise, release: released.resolve }
}

/** Matches a call of the API by its method and path. */
export function isCall(method: string, path: string): (request: Request) => boolean {
  return (request) => request.method() === method && new URL(request.url()).pathname === path
}
