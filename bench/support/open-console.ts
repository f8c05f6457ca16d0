import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { buildWeb } from '../../tests/browser/harness/build-web.ts'
import { findBrowser, howToGetABrowser, launchChromium } from '../../tests/browser/harness/chromium.ts'
import { startServer } from './measure.ts'

const token = 'tcn_personal_bench_bench_bench_bench_bench'

export type OpenConsole = {
  url: string
  browser: Browser
  /** Saves an entity by the API. */
  put(path: string, body: object): Promise<void>
  signIn(context: BrowserContext): Promise<void>
  close(): Promise<void>
}

/** A service with a built console and the workspace `bench`, and a browser. */
export async function openConsole(): Promise<OpenConsole> {
  await buildWeb()
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
  const server = await startServer('server/src/main.ts', [], {
    ...{ PORT: '0', DATA_DIR: folder, MARKETPLACE: 'off', LOG_LEVEL: 'error', ADMIN_TOKEN: token },
  })
  const browser = await openBrowser()
  const put = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(server.url + path, { method: 'PUT', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  await put('/api/workspaces/bench', { fullname: 'bench' })
  return {
    url: server.url,
    browser,
    put,
    signIn: async (context) => void (await context.request.post('/api/auth/sign-in/token', { data: { token } })),
    close: async () => {
      await browser.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The browser that the tests use too. */
async function openBrowser(): Promise<Browser> {
  const found = await findBrowser()
  if (found.kind === 'missing')
    throw new Error(`No browser starts on this machine (${found.reason}). ${howToGetABrowser}`)
  return launchChromium(found.browser)
}
