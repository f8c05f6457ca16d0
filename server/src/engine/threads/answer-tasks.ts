import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { ready, type TaskTable, type ThreadAnswer } from './pool.ts'

/** The program of a thread uses a third of it. */
const usedBytesMax = 64 * 1024 * 1024

/**
 * The side of a thread: runs the tasks that the pool sends, one after the other. V8 lets the heap of a thread grow to a part of
 * its limit before it collects old objects, and a thread without work never does. So the thread collects them itself.
 */
export function answerTasks(tasks: TaskTable): void {
  setFlagsFromString('--expose-gc')
  const gc: typeof globalThis.gc = runInNewContext('gc')
  parentPort?.on('message', async ({ name, input }: { name: string; input: unknown }) => {
    parentPort?.postMessage(await run(() => tasks[name]?.(input)))
    if (getHeapStatistics().used_heap_size > usedBytesMax) gc?.()
  })
  parentPort?.postMessage(ready)
}

async function run(task: () => unknown): Promise<ThreadAnswer> {
  try {
    return { value: await task() }
  } catch (error) {
    return error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error), stack: '' }
  }
}
