import { parentPort } from 'node:worker_threads'
import { ready, type TaskTable, type ThreadAnswer } from './pool.ts'

/** The side of a thread: runs the tasks that the pool sends, one after the other. */
export function answerTasks(tasks: TaskTable): void {
  parentPort?.on('message', async ({ name, input }: { name: string; input: unknown }) => {
    parentPort?.postMessage(await run(() => tasks[name]?.(input)))
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
