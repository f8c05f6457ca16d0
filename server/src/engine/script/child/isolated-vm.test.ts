import { afterAll, describe, expect, test } from 'vitest'
import { hasIsolatedVm } from '../../../../../tests/harness/script-engines.ts'
import { type Child, startChild, type TurnResult } from '../child-process.ts'
import { chooseEngine } from '../engines.ts'
import { corpus } from '../hostile/index.ts'
import { childLimits } from '../limits.ts'
import { readProgram } from '../program.ts'
import { readAnswer } from '../read-answer.ts'

/** Only the sources that are valid scripts; the others reach no engine. */
const all = Object.entries(corpus).flatMap(([group, hostile]) =>
  hostile.flatMap(({ name, source }) => {
    const code = codeOf(source)
    return code === undefined ? [] : [{ group, name, code }]
  }),
)
const context = Buffer.from('{"source":{"a":1},"inputs":{},"providers":{}}')
const good = codeOf(
  '({ n: BigInt(source.a) + 1n, at: Date.now(), hoard: typeof hoard, list: [1, 2].map(String), s: String({}) })',
)
const goodValue = { n: '2', at: 7, hoard: 'undefined', list: ['1', '2'], s: '[object Object]' }

function codeOf(source: string): string | undefined {
  const program = readProgram('raw', source, 'isolated-vm')
  return program.ok ? program.code : undefined
}

/**
 * Scripts that visibly use shared values run in QuickJS. A script can hide that, so this test runs all of them in V8: V8 or
 * its process must contain them.
 */
describe.runIf(hasIsolatedVm)('V8 without the check of the source text', () => {
  let child: Child | undefined
  afterAll(() => child?.end())

  const living = async (): Promise<Child> => {
    if (child?.isAlive()) return child
    child = startChild({ ...childLimits, engine: chooseEngine('isolated-vm'), graceMs: 100 })
    expect(await child.started).toBeUndefined()
    return child
  }
  const turn = async (code: string, cpuMsMax: number): Promise<TurnResult> => {
    const items = [{ bytes: context.length, nowMs: 7 }]
    return (await living()).turn({ code, staysIsolated: true, cpuMsMax, turnCpuMs: 1000, items }, [context])
  }
  const resultsOf = (turnResult: TurnResult) =>
    turnResult.kind === 'answer' ? readAnswer(turnResult.answer, turnResult.body) : []

  test.each(all)('$group: $name', async ({ group, code }) => {
    const [result] = resultsOf(await turn(code, 50))
    if (group === 'escapes' && result?.ok) expect(result.value).toEqual([])
    expect(resultsOf(await turn(good ?? '', 5_000))).toEqual([{ ok: true, value: goodValue, logs: [] }])
  })
})
