/** A program for the test of the thread pool. */
import { getHeapStatistics } from 'node:v8'
import { threadId } from 'node:worker_threads'
import { answerTasks } from '../../server/src/engine/threads/answer-tasks.ts'

const tasks = {
  echo: (value: unknown) => value,
  id: () => threadId,
  fail: (message: string) => {
    throw new Error(message)
  },
  loop: () => {
    for (;;);
  },
  grow: () => {
    const kept: unknown[] = []
    for (;;) kept.push({ of: kept.length })
  },
  /** Needs about 100 MB, which nothing holds afterwards. */
  leave: () => Array.from({ length: 1_000_000 }, (_, at) => ({ at, list: [at] })).length,
  usedMegabytes: () => getHeapStatistics().used_heap_size / 1024 / 1024,
  /** Holds its thread until the first number is no longer 0. */
  hold: (flag: Int32Array) => Atomics.wait(flag, 0, 0),
}
export type TestTasks = typeof tasks

answerTasks(tasks)
