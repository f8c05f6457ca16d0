import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { median } from './support/measure.ts'
import { openConsole } from './support/open-console.ts'
import { printRow } from './support/row.ts'
import { watchThread } from './support/watch-thread.ts'

/**
 * `npm run bench -- typing`: what a key costs in each editor of the builder with a text of 10,000 lines: the CPU time of the
 * page's thread, which other work on the machine does not lengthen, and the time until the frame that shows the key.
 */
const lines = 10_000
const keys = 60
const pauseMs = 90
const wantedMs = 50
const fullname = 'bench.p.t'

const repeat = (line: (at: number) => string) => Array.from({ length: lines }, (_, at) => line(at)).join('\n')
const definition = {
  ...{ name: 't', fullname, project: 'bench.p', workspace: 'bench', meta: { title: 'T' } },
  ...{ backend: { type: 'sdk' }, inputs: {}, triggerSpec: { type: 'evm_log', dataSource: 'common.nowhere' } },
}
const editors = [
  { tab: 'Message', field: 'Long text', text: repeat((at) => `line ${at} {{raw.x}}`) },
  { tab: 'Data', field: 'Raw transform', text: repeat((at) => `const value${at} = source.params.value + ${at}`) },
  { tab: 'Source', field: 'ABI', text: repeat((at) => `event Moved${at}(address indexed from, uint256 value)`) },
  { tab: 'JSON', field: 'Definition', text: jsonText() },
]

const { url, browser, put, signIn, close } = await openConsole()
await put('/api/projects/bench.p', {
  ...{ name: 'p', fullname: 'bench.p', workspace: 'bench', public: false },
  meta: { title: 'P', description: '' },
})
await put(`/api/triggers/${fullname}`, definition)
for (const { tab, field, text } of editors) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  await signIn(context)
  const { cpuMs, times } = await typeInto(await context.newPage(), tab, field, text)
  const slowMs = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
  printRow({
    what: `CPU of one key in a text of ${lines.toLocaleString('en')} lines`,
    part: field,
    wanted: `≤ ${wantedMs} ms`,
    seen: `${median(cpuMs).toFixed(1)} ms`,
    ok: median(cpuMs) <= wantedMs,
    details: `key → frame: median ${Math.round(median(times))} ms, p95 ${Math.round(slowMs)} ms`,
  })
  await context.close()
}
await close()

/** The definition with a long sample. */
function jsonText(): string {
  const testInput = { values: Array.from({ length: lines }, (_, at) => at) }
  return JSON.stringify({ ...definition, triggerSpec: { ...definition.triggerSpec, testInput } }, null, 2)
}

async function typeInto(
  page: Page,
  tab: string,
  field: string,
  text: string,
): Promise<{ cpuMs: number[]; times: number[] }> {
  await page.addInitScript({ path: join(import.meta.dirname, 'support', 'observe-keys.mjs') })
  await page.goto(`/w/bench/triggers/${fullname}/edit`)
  await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
  const input = page.getByRole('textbox', { name: field, exact: true })
  await input.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(text)
  await page.keyboard.press('ControlOrMeta+End')
  // The checks after the insertion are not part of the measurement.
  await page.waitForLoadState('networkidle')
  await page.evaluate('keyTimesMs.length = 0')
  // A space at the end leaves valid JSON, so that every check runs to its end.
  const cpuOfPage = await watchThread(page)
  const cpuMs: number[] = []
  for (let key = 0; key < keys; key++) {
    const before = await cpuOfPage()
    await page.keyboard.press('Space')
    await page.waitForTimeout(pauseMs)
    cpuMs.push((await cpuOfPage()) - before)
  }
  return { cpuMs, times: await page.evaluate<number[]>('keyTimesMs') }
}
