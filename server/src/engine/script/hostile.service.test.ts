import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLongRun } from '../../../../tests/harness/property-runs.ts'
import type { Hostile } from './hostile/hostile.ts'
import { corpus } from './hostile/index.ts'
import { type ScriptResult, type Scripts, startScripts } from './index.ts'

/** Without quarantine, so that each script must be contained by its own limits. */
const strikes = { pointsMax: 1e9, windowMs: 1e9, quarantineMs: 1 }
const all = Object.entries(corpus).flatMap(([group, hostile]) => hostile.map((one, at) => ({ group, at, ...one })))
/** Scripts that must fail often end their process, which has to be started again: `npm test` runs the first of each group. */
const chosen = all.filter((one) => isLongRun || 'value' in one || one.at < 4)

/** A well-behaved tenant that runs scripts during the whole test. */
const good = {
  kind: 'raw' as const,
  source:
    '({ n: BigInt(source.n) ** 2n, at: Date.now(), text: [1, 2].map(String).join(), hoard: typeof hoard, s: JSON.stringify({}) })',
}
const goodContexts = [3, 4, 5].map((n) => ({ source: { n } }))
const goodResults = [9, 16, 25].map((n) => ({
  ok: true,
  value: { n: `${n}`, at: 7, text: '1,2', hoard: 'undefined', s: '{}' },
  logs: [],
}))

test('the corpus has at least sixty scripts with unique names', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(60)
})

let both: Scripts[] = []
const results = new Map<string, ScriptResult | undefined>()
let goodCalls = 0

beforeAll(async () => {
  // Two processes, so that hostile scripts do not wait for one another.
  both = [1, 2].map(() => startScripts({ children: 1, strikes, graceMs: 100 }))
  let isOver = false
  const neighbours = both.map(async (scripts) => {
    for (; !isOver; goodCalls++) {
      expect(await scripts.run(good, goodContexts, { nowMs: 7, cpuMsMax: 1000 })).toEqual(goodResults)
      await new Promise((done) => setTimeout(done, 20))
    }
  })
  const waiting = [...chosen]
  const hostile = both.map(async (scripts) => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const contexts = [{ source: { a: 1 } }]
      const cpuMsMax = mayTimeOut(one) ? 20 : 500
      const [result] = await scripts.run({ kind: 'raw', source: one.source }, contexts, { nowMs: 7, cpuMsMax })
      results.set(one.name, result)
    }
    isOver ||= waiting.length === 0
  })
  await Promise.all([...hostile, ...neighbours])
}, 300_000)
afterAll(() => Promise.all(both.map((scripts) => scripts.close())))

test.each(chosen)('$group: $name', (hostile) => expectContained(results.get(hostile.name), hostile))

test('the well-behaved tenant always got the right results', () => {
  expect(goodCalls).toBeGreaterThan(chosen.length)
})

/** Scripts that must finish get enough CPU time. */
function mayTimeOut(hostile: Hostile): boolean {
  return 'failure' in hostile && [hostile.failure].flat().includes('timeout')
}

function expectContained(result: ScriptResult | undefined, hostile: Hostile): void {
  if ('value' in hostile) expect(result).toMatchObject({ ok: true, value: hostile.value })
  else expect([hostile.failure].flat(), JSON.stringify(result)).toContain(result?.ok === false ? result.kind : result)
}
