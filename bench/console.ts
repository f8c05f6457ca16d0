import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { buildConsole } from '../tests/browser/harness/build-console.ts'
import { median, startServer } from './support/measure.ts'
import { openBrowser } from './support/open-browser.ts'
import { printRow } from './support/row.ts'

/** `npm run bench -- console`: largest contentful paint and total blocking time of first visits, on loopback. */
const rounds = 7
const token = 'tcn_personal_bench_bench_bench_bench_bench'
type Figures = { paintMs: number; blockedMs: number }

await buildConsole()
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const server = await startServer('server/src/main.ts', [], {
  ...{ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', ADMIN_TOKEN: token },
})
const browser = await openBrowser()
await saveWorkspace()
for (const [name, path] of [
  ['sign-in', '/sign-in'],
  ['alerts', '/w/bench/alerts'],
] as const) {
  const seen: Figures[] = []
  for (let round = 0; round < rounds; round++) seen.push(await visit(browser, path))
  const medianMs = (of: keyof Figures) => median(seen.map((figures) => Math.round(figures[of])))
  printRow({
    direction: `the console's ${name} page, first visit on loopback`,
    wanted: '–',
    seen: `largest contentful paint ${medianMs('paintMs')} ms, blocked ${medianMs('blockedMs')} ms`,
  })
}
await browser.close()
await server.stop()
rmSync(folder, { recursive: true, force: true })

async function saveWorkspace(): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ fullname: 'bench' })
  const answer = await fetch(`${server.url}/api/workspaces/bench`, { method: 'PUT', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
}

/** A new browser context has an empty cache. */
async function visit(browser: Browser, path: string): Promise<Figures> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  if (path !== '/sign-in') await context.request.post('/api/auth/sign-in/token', { data: { token } })
  const page = await context.newPage()
  await page.addInitScript({ path: join(import.meta.dirname, 'support', 'observe-page.mjs') })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The browser reports paints late, and a larger paint may follow. We wait until no paint came for two seconds.
  const figures = await page.evaluate<Figures>('seenWhenQuiet(2000)')
  if (figures.paintMs === 0) throw new Error(`${path}: the browser reported no paint`)
  await context.close()
  return figures
}
