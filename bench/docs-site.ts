import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { buildWeb } from '../tests/browser/harness/build-web.ts'
import { median, startServer } from './support/measure.ts'
import { openBrowser } from './support/open-browser.ts'
import { printRow } from './support/row.ts'

/**
 * `npm run bench -- docs-site`: first visits of pages of /docs on a phone, with the network and the processor that
 * Lighthouse assumes for phones (1.6 Mbit/s, 150 ms round trip, a fourth of the speed). The bounds are those that
 * Lighthouse and the Web Vitals call good.
 */
const rounds = 5
const good = { firstMs: 1_800, paintMs: 2_500, shift: 0.1, blockedMs: 200 }
const pages = ['guide/quickstart', 'guide/triggers', 'reference/cookbook']
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Painted = { firstMs: number; paintMs: number; blockedMs: number; shift: number }
type Figures = Painted & { bytes: number; requests: number; violations: number }

await buildWeb()
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const server = await startServer('server/src/main.ts', [], {
  ...{ PORT: '0', ROLE: 'api', DATA_DIR: folder, LOG_LEVEL: 'error' },
})
const browser = await openBrowser()
// The service compresses a page when it is first asked for.
for (const page of pages) await fetch(`${server.url}/docs/${page}`)
for (const page of pages) {
  const seen: Figures[] = []
  for (let round = 0; round < rounds; round++) seen.push(await visit(browser, `/docs/${page}`))
  const of = (name: keyof Figures) => median(seen.map((figures) => figures[name]))
  printRow({
    what: 'first visit of /docs on a phone (largest paint, blocked)',
    part: page,
    wanted: `≤ ${good.paintMs} ms, ≤ ${good.blockedMs} ms`,
    seen: `${of('paintMs').toFixed(0)} ms, ${of('blockedMs').toFixed(0)} ms`,
    details: `first paint ${of('firstMs').toFixed(0)} ms, layout shift ${of('shift').toFixed(3)}, ${(of('bytes') / 1000).toFixed(1)} kB in ${of('requests')} requests, axe ${of('violations')}`,
    ok:
      (['firstMs', 'paintMs', 'shift', 'blockedMs'] as const).every((name) => of(name) <= good[name]) &&
      of('violations') === 0,
  })
}
await browser.close()
await server.stop()
rmSync(folder, { recursive: true, force: true })

/** A new browser context has an empty cache. */
async function visit(browser: Browser, path: string): Promise<Figures> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 412, height: 823 } })
  const page = await context.newPage()
  await page.addInitScript({ path: join(import.meta.dirname, 'support', 'observe-page.mjs') })
  const loaded = await slowDown(page)
  await page.goto(path)
  const painted = await page.evaluate<Painted>('seenWhenQuiet(2000)')
  await page.evaluate(axe)
  const violations = await page.evaluate<number>('axe.run().then((found) => found.violations.length)')
  const figures = { ...painted, ...loaded, violations }
  await context.close()
  return figures
}

async function slowDown(page: Page): Promise<{ bytes: number; requests: number }> {
  const devtools = await page.context().newCDPSession(page)
  const loaded = { bytes: 0, requests: 0 }
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    loaded.bytes += encodedDataLength
    loaded.requests += 1
  })
  await devtools.send('Network.enable')
  const bytesPerSecond = (1.6 * 1024 * 1024) / 8
  await devtools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 150, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return loaded
}
