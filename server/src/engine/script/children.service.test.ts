import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test as anyTest, expect, vi } from 'vitest'
import {
  closeScriptsAfterEach,
  cpuMsOf,
  hasProcessFiles,
  killAtWork,
  nextHeapMegabytes,
  openScripts,
  pidsOf,
  startCpuMs,
  waiting,
  work,
  worked,
} from '../../../../tests/harness/script-processes.ts'
import { startChild } from './child-process.ts'
import { openCpuWatch } from './cpu-used.ts'
import { childLimits } from './limits.ts'

const test = anyTest.runIf(hasProcessFiles)
closeScriptsAfterEach()

test('a call whose process dies runs again in another process', async () => {
  const { run, pids } = openScripts()
  await run('1')
  const call = run(work)
  const first = await killAtWork(pids)
  expect(await call).toEqual([worked])
  expect(pids()).toHaveLength(1)
  expect(pids()).not.toEqual([first])
})

test.each([
  { size: 'larger than it may be', rssBytes: 16 * 1024 * 1024, isReplaced: true },
  { size: 'as large as it may be', rssBytes: 4 * 1024 * 1024 * 1024, isReplaced: false },
])('after its turn, a process $size is replaced: $isReplaced', async ({ rssBytes, isReplaced }) => {
  const { run, pids } = openScripts({ child: { rssBytes } })
  expect(await run('1')).toMatchObject([{ value: 1 }])
  const after = pids()
  expect(after).toHaveLength(isReplaced ? 0 : 1)
  expect(await run('2')).toMatchObject([{ value: 2 }])
  expect(pids()).toEqual(after)
})

test('a process that is too old is replaced after its turn, not before', async () => {
  let nowMs = 0
  const { run, pids } = openScripts({ now: () => nowMs, child: { lifeMs: 1000 } })
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

test('a process that is stopped is not taken for one that hangs', async () => {
  const heapMegabytes = nextHeapMegabytes()
  const child = startChild({ ...childLimits, heapMegabytes, graceMs: 5 })
  expect(await child.started).toBeUndefined()
  const [pid = 0] = pidsOf(heapMegabytes)
  process.kill(pid, 'SIGSTOP')
  const turn = { code: '(function () { return 1 })', cpuMsMax: 5, turnCpuMs: 5 }
  const context = Buffer.from('{}')
  const turned = child.turn({ ...turn, items: [{ bytes: context.length, nowMs: 0 }] }, [context])
  expect(await turned).toEqual({ kind: 'killed', lateness: 'starved' })
})

test('a process that is being ended counts as dead at once', async () => {
  const child = startChild({ ...childLimits, graceMs: 250 })
  expect(await child.started).toBeUndefined()
  expect(child.isAlive()).toBe(true)
  const ending = child.end()
  expect(child.isAlive()).toBe(false)
  await ending
})

test('a process that was killed while its answer was on the way gets no further turn', async () => {
  const heapMegabytes = nextHeapMegabytes()
  // The process is late as soon as this one looks, which it does when it has read nothing for a while.
  const child = startChild({ ...childLimits, heapMegabytes, graceMs: -100 })
  expect(await child.started).toBeUndefined()
  const [pid = 0] = pidsOf(heapMegabytes)
  const written = writtenBytes(pid)
  const turn = { code: '(function () { for (;;); })', cpuMsMax: 100, turnCpuMs: 5 }
  const context = Buffer.from('{}')
  const turned = child.turn({ ...turn, items: [{ bytes: context.length, nowMs: 0 }] }, [context])
  while (writtenBytes(pid) < written + answerBytesMin) blockFor(5)
  expect(await turned).toMatchObject({ kind: 'answer' })
  expect(child.isAlive()).toBe(false)
  await child.end()
})

/** An answer is longer than this. Threads of the process wake each other with 8 bytes, a few times in a turn. */
const answerBytesMin = 80

function writtenBytes(pid: number): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
}

/** Nothing else runs in this process meanwhile. */
function blockFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('only the main thread of a process counts as its work', async () => {
  const code = "new (require('node:worker_threads').Worker)('for (;;) {}', { eval: true })"
  const child = spawn(process.execPath, ['-e', code], { stdio: 'ignore' })
  try {
    await vi.waitUntil(() => cpuMsOf(child.pid) > startCpuMs, waiting)
    const lateness = openCpuWatch(child.pid)(200)
    const begun = cpuMsOf(child.pid)
    await vi.waitUntil(() => cpuMsOf(child.pid) > begun + 400, waiting)
    expect(lateness()).toBe('starved')
  } finally {
    child.kill('SIGKILL')
  }
})

test('a process that does not start is reported with its reason, and not as a failure of the script', async () => {
  const { run } = openScripts({ child: { heapMegabytes: 1 } })
  expect(await run('1')).toMatchObject([
    { ok: false, kind: 'overloaded', message: expect.stringMatching(/started .*: ./) },
  ])
})
