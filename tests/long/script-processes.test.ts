import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
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
} from '../harness/script-processes.ts'

const test = anyTest.runIf(hasProcessFiles)
closeScriptsAfterEach()

const loop = 'for (;;) {}'

test('a call whose process dies twice fails as a crash, and the next script runs', async () => {
  const { run, pids } = openScripts()
  await run('1')
  const call = run(loop)
  await killAtWork(pids)
  await killAtWork(pids, startCpuMs)
  expect(await call).toMatchObject([{ ok: false, kind: 'crash', message: 'the process that ran the script ended' }])
  expect(await run('2')).toMatchObject([{ ok: true, value: 2 }])
})

test('if a process dies during several items, all items still get results', async () => {
  const { run, pids } = openScripts()
  await run('1')
  const call = run(work, 2)
  await killAtWork(pids)
  expect(await call).toEqual([worked, worked])
})

test('the system ends a process that used up its CPU time, and the next script runs', async () => {
  const { run } = openScripts({ child: { cpuSeconds: 2 } })
  expect(await run(loop)).toMatchObject([{ ok: false, kind: 'crash' }])
  expect(await run('1')).toMatchObject([{ ok: true, value: 1 }])
})

test('a script that hangs does not outlive a killed service for long', async () => {
  const child = { heapMegabytes: nextHeapMegabytes(), cpuSeconds: 3 }
  const service = `import { startScripts } from ${JSON.stringify(new URL('../../server/src/engine/script/index.ts', import.meta.url).href)}
    startScripts({ children: 1, child: ${JSON.stringify(child)} })
      .run({ kind: 'raw', source: ${JSON.stringify(loop)} }, [{ source: 1 }], { nowMs: 0, cpuMsMax: 3600_000 })`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', service], { stdio: 'inherit' })
  const pids = () => pidsOf(child.heapMegabytes)
  await vi.waitUntil(() => cpuMsOf(pids()[0]) > startCpuMs, waiting)
  parent.kill('SIGKILL')
  await vi.waitUntil(() => pids().length === 0, waiting)
})

test('a process that used up its own memory ends with a reason, and the next script runs', async () => {
  const { run } = openScripts({ child: { heapMegabytes: 24 } })
  const [result] = await run(`/*${'x'.repeat(30e6)}*/ 1`)
  expect(result).toMatchObject({ ok: false, kind: 'crash', message: expect.stringMatching(/FATAL ERROR.*heap/) })
  expect(await run('1')).toMatchObject([{ ok: true, value: 1 }])
})

test('a process that gets no CPU time while it starts gets more time', async () => {
  const startMs = 2_000
  const { run, pids } = openScripts({ child: { startMs } })
  const call = run('1')
  await vi.waitUntil(() => pids().length === 1, waiting)
  const [pid = 0] = pids()
  process.kill(pid, 'SIGSTOP')
  await pause(startMs * 1.5)
  process.kill(pid, 'SIGCONT')
  expect(await call).toMatchObject([{ ok: true, value: 1 }])
  expect(pids()).toEqual([pid])
})

test('a script that uses up all memory is ended, and the next script runs', async () => {
  const { run } = openScripts()
  const [result] = await run('const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })')
  expect(result).toMatchObject({
    ok: false,
    kind: 'memory',
  })
  expect(await run('1')).toMatchObject([{ ok: true, value: 1 }])
})
