import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterEach, test as anyTest, expect, vi } from 'vitest'
import { describeEngines } from '../../../../tests/harness/script-engines.ts'
import { type ScriptOptions, type Scripts, startScripts } from './index.ts'

/** These tests find and kill processes by the files in /proc, which only Linux has. */
const test = anyTest.runIf(existsSync('/proc/self/stat'))

const opened: Scripts[] = []
afterEach(() => Promise.all(opened.splice(0).map((scripts) => scripts.close())))

/** The command of a process contains its heap size. Each test uses another size and finds its own processes by it. */
let heapMegabytes = 200

function open(options: ScriptOptions = {}) {
  heapMegabytes++
  const child = { heapMegabytes, ...options.child }
  const scripts = startScripts({ children: 1, ...options, child })
  opened.push(scripts)
  const run = (source: string, count = 1) =>
    scripts.run({ kind: 'raw', source }, Array(count).fill({ source: 1 }), { nowMs: 0, cpuMsMax: 60_000 })
  return { run, pids: () => pidsOf(child.heapMegabytes) }
}

/** Takes some tenths of a second. */
const work = 'let n = 0; for (let i = 0; i < 5e6; i++) n += i % 7; return n'
const worked = { ok: true, value: 14_999_995, logs: [] }
const loop = 'for (;;) {}'

test('a call whose process dies runs again in another process', async () => {
  const { run, pids } = open()
  await run('1')
  const call = run(work)
  const first = await killAtWork(pids)
  expect(await call).toEqual([worked])
  expect(pids()).toHaveLength(1)
  expect(pids()).not.toEqual([first])
})

test('a call whose process dies twice fails as a crash, and the next script runs', async () => {
  const { run, pids } = open()
  await run('1')
  const call = run(loop)
  await killAtWork(pids)
  await killAtWork(pids, startCpuMs)
  expect(await call).toMatchObject([{ ok: false, kind: 'crash', message: 'the process that ran the script ended' }])
  expect(await run('2')).toMatchObject([{ ok: true, value: 2 }])
})

test('if a process dies during several items, all items still get results', async () => {
  const { run, pids } = open()
  await run('1')
  const call = run(work, 2)
  await killAtWork(pids)
  expect(await call).toEqual([worked, worked])
})

test.each([
  { size: 'larger than it may be', rssBytes: 16 * 1024 * 1024, isReplaced: true },
  { size: 'as large as it may be', rssBytes: 4 * 1024 * 1024 * 1024, isReplaced: false },
])('after its turn, a process $size is replaced: $isReplaced', async ({ rssBytes, isReplaced }) => {
  const { run, pids } = open({ child: { rssBytes } })
  expect(await run('1')).toMatchObject([{ value: 1 }])
  const after = pids()
  expect(after).toHaveLength(isReplaced ? 0 : 1)
  expect(await run('2')).toMatchObject([{ value: 2 }])
  expect(pids()).toEqual(after)
})

test('a process that is too old is replaced after its turn, not before', async () => {
  let nowMs = 0
  const { run, pids } = open({ now: () => nowMs, child: { lifeMs: 1000 } })
  await run('1')
  const before = pids()
  nowMs = 1000
  await run('2')
  expect(pids()).toEqual(before)
  nowMs = 1001
  expect(await run('3')).toMatchObject([{ value: 3 }])
  await run('4')
  expect(pids()).toHaveLength(1)
  expect(pids()).not.toEqual(before)
})

test('the system ends a process that used up its CPU time, and the next script runs', async () => {
  const { run } = open({ child: { cpuSeconds: 2 } })
  expect(await run(loop)).toMatchObject([{ ok: false, kind: 'crash' }])
  expect(await run('1')).toMatchObject([{ ok: true, value: 1 }])
})

test('a script that hangs does not outlive a killed service for long', async () => {
  heapMegabytes++
  const child = { heapMegabytes, cpuSeconds: 3 }
  const service = `import { startScripts } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)}
    startScripts({ children: 1, child: ${JSON.stringify(child)} })
      .run({ kind: 'raw', source: ${JSON.stringify(loop)} }, [{ source: 1 }], { nowMs: 0, cpuMsMax: 3600_000 })`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', service], { stdio: 'inherit' })
  const pids = () => pidsOf(child.heapMegabytes)
  await vi.waitUntil(() => cpuMsOf(pids()[0]) > startCpuMs, waiting)
  parent.kill('SIGKILL')
  await vi.waitUntil(() => pids().length === 0, waiting)
})

test('a process that used up its own memory ends with a reason, and the next script runs', async () => {
  const { run } = open({ child: { heapMegabytes: 24 } })
  const [result] = await run(`/*${'x'.repeat(30e6)}*/ 1`)
  expect(result).toMatchObject({ ok: false, kind: 'crash', message: expect.stringMatching(/FATAL ERROR.*heap/) })
  expect(await run('1')).toMatchObject([{ ok: true, value: 1 }])
})

describeEngines((engine) => {
  test('a script that uses up all memory is ended, and the next script runs', async () => {
    const { run } = open({ engine })
    const [result] = await run('const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })')
    expect(result).toMatchObject({
      ok: false,
      kind: expect.stringMatching(engine === 'quickjs' ? 'memory' : /memory|crash/),
    })
    expect(await run('1')).toMatchObject([{ ok: true, value: 1 }])
  })
})

test('a process that does not start is reported as a crash with its reason', async () => {
  const { run } = open({ child: { heapMegabytes: 1 } })
  expect(await run('1')).toMatchObject([{ ok: false, kind: 'crash', message: expect.stringMatching(/ended: ./) }])
})

/** More CPU time than a process needs to start. */
const startCpuMs = 1500
const waiting = { timeout: 50_000, interval: 20 }

/** Kills the only process while it works on its call. */
async function killAtWork(pids: () => number[], startedCpuMs = cpuMsOf(pids()[0])): Promise<number> {
  await vi.waitUntil(() => cpuMsOf(pids()[0]) > startedCpuMs + 100, waiting)
  const [pid = 0] = pids()
  process.kill(pid, 'SIGKILL')
  await vi.waitUntil(() => !pids().includes(pid), waiting)
  return pid
}

function pidsOf(heapMegabytes: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.filter((pid) => isRunning(pid, `--max-old-space-size=${heapMegabytes}\0`)).map(Number)
}

function isRunning(pid: string, flag: string): boolean {
  const command = read(pid, 'cmdline')
  return command.startsWith(process.execPath) && command.includes(flag)
}

/** The CPU time that a process has used; 0 if the process is gone. */
function cpuMsOf(pid = 0): number {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

/** Returns an empty text if the process is gone. */
function read(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
