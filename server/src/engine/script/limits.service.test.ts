import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { patienceMs } from '../../../../tests/harness/look-until.ts'
import { type Scripts, startScripts } from './index.ts'
import { limits } from './limits.ts'

const hang = 'Array.prototype.reverse.call({ length: 2 ** 53 - 1 })'
const options = { nowMs: 0, cpuMsMax: 30 }

let scripts: Scripts
beforeAll(() => {
  scripts = startScripts({ children: 1 })
})
afterAll(() => scripts.close())

async function call(source: string, given: unknown = null) {
  const [result] = await scripts.run({ kind: 'raw', source }, [{ source: given }], { nowMs: 0, cpuMsMax: 500 })
  return result
}

test('a result may be as large as the limit, counted in bytes, and no larger', async () => {
  const most = limits.outputBytes - 2
  expect(await call(`'x'.repeat(${most})`)).toMatchObject({ ok: true })
  expect(await call(`'x'.repeat(${most + 1})`)).toMatchObject({ ok: false, kind: 'output_limit' })
  expect(await call(`'ü'.repeat(${most / 2 + 1})`)).toMatchObject({ ok: false, kind: 'output_limit' })
})

test('logs are cut at their limit', async () => {
  const result = await call('for (let i = 0; i < 1000; i++) console.log("x".repeat(1000)); return 1')
  expect(result?.ok && result.logs.reduce((sum, { message }) => sum + message.length, 0)).toBe(limits.logChars)
  const many = await call('for (let i = 0; i < 1000; i++) console.log(i); return 1')
  expect(many?.logs).toHaveLength(limits.logEntries)
})

test('a large context is read, and one too large is refused', async () => {
  expect(await call('source.length', 'x'.repeat(2_000_000))).toMatchObject({ ok: true, value: 2_000_000 })
  expect(await call('source.length', 'x'.repeat(limits.contextBytes))).toMatchObject({ ok: false, kind: 'memory' })
})

test('a result nested too deeply is refused', async () => {
  const nested = (depth: number) => `let a = 0; for (let i = 0; i < ${depth}; i++) a = [a, "]"]; return a`
  expect(await call(nested(limits.outputDepth))).toMatchObject({ ok: true })
  expect(await call(nested(limits.outputDepth + 1))).toMatchObject({ ok: false, kind: 'not_json' })
})

test('an item that hangs is killed, and the other items get their results', async () => {
  const contexts = [1, 2, 3, 4].map((source) => ({ source }))
  const source = `source === 3 ? ${hang} : source * 2`
  const results = await scripts.run({ kind: 'raw', source }, contexts, options)
  expect(results.map((result) => (result.ok ? result.value : result.kind))).toEqual([2, 4, 'timeout', 8])
})

test('a script with too many strikes is quarantined, and may run again afterwards', async () => {
  let nowMs = 0
  const strikes = { pointsMax: 3, windowMs: 60_000, quarantineMs: 90_000 }
  const strict = startScripts({ children: 1, strikes, now: () => nowMs })
  const run = async (source: string, count: number) => {
    const results = await strict.run({ kind: 'raw', source }, Array(count).fill({ source: 1 }), options)
    return results.map((result) => (result.ok ? 'ok' : result.kind))
  }
  const loop = 'for (;;) {}'
  expect(await run(loop, 5)).toEqual(['timeout', 'timeout', 'timeout', 'quarantined', 'quarantined'])
  const [stopped] = await strict.run({ kind: 'raw', source: loop }, [{ source: 1 }], options)
  expect(stopped).toMatchObject({ message: expect.stringContaining('stopped for 2 min') })
  expect(await run('source', 2)).toEqual(['ok', 'ok'])
  nowMs = 90_000
  expect(await run(loop, 1)).toEqual(['timeout'])
  await strict.close()
})

test('a run that exceeds the limit of waiting items fails at once', async () => {
  const small = startScripts({ children: 1, waitingMax: 3 })
  const contexts = Array(2).fill({ source: 1 })
  const both = await Promise.all([1, 2].map((n) => small.run({ kind: 'raw', source: `${n}` }, contexts, options)))
  expect(both.flat().map((result) => (result.ok ? result.value : result.kind))).toEqual([
    1,
    1,
    'overloaded',
    'overloaded',
  ])
  expect(await small.run({ kind: 'raw', source: '3' }, contexts, options)).toMatchObject([{ value: 3 }, { value: 3 }])
  await small.close()
})

test('closing ends running and waiting scripts, each with a result', async () => {
  const closing = startScripts({ children: 1 })
  const runs = ['1', hang, '2'].map((source) => closing.run({ kind: 'raw', source }, [{ source: 1 }], options))
  await closing.close()
  const results = (await Promise.all(runs)).flat()
  expect(results.map((result) => !result.ok && result.message)).toEqual(Array(3).fill('the service is stopping'))
  expect(await closing.run({ kind: 'raw', source: '1' }, [{ source: 1 }], options)).toMatchObject([{ kind: 'crash' }])
})

test('a process starts with the first script, and ends after it was idle', async () => {
  const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
  let before = -1
  const isSteady = () => {
    const last = before
    before = processes()
    return before === last
  }
  await vi.waitUntil(() => isSteady(), { interval: 200, timeout: patienceMs })
  const idle = startScripts({ children: 1, idleMs: 20 })
  expect(processes()).toBe(before)
  expect(await idle.run({ kind: 'raw', source: '1 +' }, [{ source: 1 }], options)).toMatchObject([{ kind: 'syntax' }])
  expect(processes()).toBe(before)
  expect(await idle.run({ kind: 'raw', source: '1' }, [{ source: 1 }], options)).toMatchObject([{ value: 1 }])
  expect(processes()).toBe(before + 1)
  await vi.waitUntil(() => processes() === before, { timeout: patienceMs })
  expect(await idle.run({ kind: 'raw', source: '2' }, [{ source: 1 }], options)).toMatchObject([{ value: 2 }])
  await idle.close()
})
