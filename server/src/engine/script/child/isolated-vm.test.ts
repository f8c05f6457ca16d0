import { afterAll, describe, expect, test } from 'vitest'
import { hasIsolatedVm } from '../../../../../tests/harness/script-engines.ts'
import { type Answered, type Child, startChild } from '../child-process.ts'
import { chooseEngine } from '../engines.ts'
import { corpus } from '../hostile/index.ts'
import { childLimits } from '../limits.ts'
import { readProgram } from '../program.ts'
import { readAnswer } from '../read-answer.ts'

/** Those that are scripts at all: the others go to no engine. */
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
 * Scripts whose text says that they reach for what all calls share run in QuickJS. A text can hide that, so all of them
 * are given to V8 here: it, or its process, must contain them by itself.
 */
describe.runIf(hasIsolatedVm)('V8, where nobody looked at the text', () => {
  let child: Child | undefined
  afterAll(() => child?.end())

  const living = async (): Promise<Child> => {
    if (child?.isAlive()) return child
    child = startChild({ ...childLimits, engine: chooseEngine('isolated-vm'), graceMs: 100 })
    expect(await child.started).toBeUndefined()
    return child
  }
  const turn = async (code: string, cpuMsMax: number): Promise<Answered> => {
    const items = [{ bytes: context.length, nowMs: 7 }]
    return (await living()).turn({ code, keepsToItself: true, cpuMsMax, turnCpuMs: 1000, items }, [context])
  }
  const resultsOf = (answered: Answered) =>
    answered.kind === 'answer' ? readAnswer(answered.answer, answered.body) : []

  test.each(all)('$group: $name', async ({ group, code }) => {
    const [result] = resultsOf(await turn(code, 50))
    if (group === 'escapes' && result?.ok) expect(result.value).toEqual([])
    expect(resultsOf(await turn(good ?? '', 5_000))).toEqual([{ ok: true, value: goodValue, logs: [] }])
  })
})
