import { test as anyTest, expect } from 'vitest'
import {
  closeScriptsAfterEach,
  hasProcessFiles,
  killAtWork,
  openScripts,
  work,
  worked,
} from '../../../../tests/harness/script-processes.ts'

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

test('a process that does not start is reported as a crash with its reason', async () => {
  const { run } = openScripts({ child: { heapMegabytes: 1 } })
  expect(await run('1')).toMatchObject([{ ok: false, kind: 'crash', message: expect.stringMatching(/ended: ./) }])
})
