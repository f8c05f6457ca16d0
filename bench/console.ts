import { join } from 'node:path'
import { median } from './support/measure.ts'
import { openConsole } from './support/open-console.ts'
import { printRow } from './support/row.ts'

/** `npm run bench -- console`: largest contentful paint and total blocking time of first visits, on loopback. */
const rounds = 7
type Figures = { paintMs: number; blockedMs: number }

const { url, browser, signIn, close } = await openConsole()
for (const [name, path] of [
  ['sign-in', '/sign-in'],
  ['alerts', '/w/bench/alerts'],
] as const) {
  const seen: Figures[] = []
  for (let round = 0; round < rounds; round++) seen.push(await visit(path))
  const medianMs = (of: keyof Figures) => median(seen.map((figures) => Math.round(figures[of])))
  printRow({
    what: 'first visit of the console (largest paint, blocked)',
    part: name,
    wanted: '–',
    seen: `${medianMs('paintMs')} ms, ${medianMs('blockedMs')} ms`,
  })
}
await close()

/** A new browser context has an empty cache. */
async function visit(path: string): Promise<Figures> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  if (path !== '/sign-in') await signIn(context)
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
