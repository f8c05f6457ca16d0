/** A program for the test of the thread pool. */
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
  /** Holds its thread until the first number is no longer 0. */
  hold: (flag: Int32Array) => Atomics.wait(flag, 0, 0),
}
export type TestTasks = typeof tasks

answerTasks(tasks)
