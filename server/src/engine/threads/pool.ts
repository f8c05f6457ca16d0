import { Worker } from 'node:worker_threads'

/** The work took longer, or needed more memory, than it may. */
export class TooExpensive extends Error {}
/** More work waits than the threads will do in time. */
export class ThreadsBusy extends Error {
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds = 5) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export type PoolOptions = {
  /** Threads at once. One caller has at most half of them. */
  threadsMax: number
  /** The time that one task may take, which begins when a thread is ready for it. */
  deadlineMs: number
  memoryMegabytesMax: number
  /** Tasks of one caller, and of all, that wait for a thread. */
  waitingMax: { ofOne: number; ofAll: number }
  /** The time of the threads that one caller has in a minute. A task that was started is finished. */
  callerMsPerMinute: number
  /** A thread without work ends after this time, because it keeps its memory. */
  idleMs: number
}
/** The tasks of a program: each takes one value and gives one, both of a kind that can be sent to a thread. */
// biome-ignore lint/suspicious/noExplicitAny: the input of each task is its own.
export type TaskTable = Record<string, (input: any) => unknown>
export type Pool<Tasks extends TaskTable> = {
  /** Callers take turns, so that one with many tasks does not delay the others. */
  run<Name extends keyof Tasks & string>(
    caller: string,
    name: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>
  close(): Promise<void>
}

/** What a thread says first, when it has loaded its program. */
export const ready = 'ready'
export type ThreadAnswer = { value: unknown } | { error: string; stack: string | undefined }
type Minute = { startedAt: number; spentMs: number }
type Task = {
  caller: string
  startedAt: number
  message: { name: string; input: unknown }
  result: PromiseWithResolvers<unknown>
}
type Thread = { worker: Worker; isReady: boolean; task: Task | undefined; timer: NodeJS.Timeout | undefined }

const minuteMs = 60_000

/** Runs tasks in worker threads that start when they are needed. `program` answers messages by `answerTasks`. */
export function startPool<Tasks extends TaskTable>(
  program: URL,
  options: PoolOptions,
  now = () => performance.now(),
): Pool<Tasks> {
  const minutes = new Map<string, Minute>()
  const threads = new Set<Thread>()
  /** By caller, in the order of their turns. */
  const waiting = new Map<string, Task[]>()
  const runningOf = (caller: string) => [...threads].filter(({ task }) => task?.caller === caller).length
  const ofOneMax = Math.max(1, Math.floor(options.threadsMax / 2))

  const takeNext = (): Task | undefined => {
    for (const [caller, tasks] of waiting) {
      if (runningOf(caller) >= ofOneMax) continue
      waiting.delete(caller)
      const task = tasks.shift()
      // After its turn the caller is the last one.
      if (tasks.length > 0) waiting.set(caller, tasks)
      return task
    }
    return undefined
  }
  /** The caller's present minute. Those that are over are forgotten. */
  const minuteOf = (caller: string): Minute | undefined => {
    for (const [name, { startedAt }] of minutes) if (now() - startedAt >= minuteMs) minutes.delete(name)
    return minutes.get(caller)
  }
  const count = ({ caller, startedAt }: Task) => {
    const minute = minuteOf(caller) ?? { startedAt, spentMs: 0 }
    minute.spentMs += now() - startedAt
    minutes.set(caller, minute)
  }
  const end = (thread: Thread) => {
    if (thread.task) count(thread.task)
    threads.delete(thread)
    clearTimeout(thread.timer)
    void thread.worker.terminate()
  }
  const fail = (thread: Thread, error: Error) => {
    end(thread)
    // A thread whose program does not start fails the work that it was started for.
    const task = thread.isReady ? thread.task : takeNext()
    task?.result.reject(error)
    dispatch()
  }
  const finish = (thread: Thread, answer: ThreadAnswer) => {
    clearTimeout(thread.timer)
    const { task } = thread
    if (task) count(task)
    thread.task = undefined
    thread.timer = setTimeout(() => end(thread), options.idleMs).unref()
    if ('value' in answer) task?.result.resolve(answer.value)
    else task?.result.reject(Object.assign(new Error(answer.error), { stack: answer.stack }))
    dispatch()
  }
  const startThread = () => {
    const resourceLimits = { maxOldGenerationSizeMb: options.memoryMegabytesMax }
    const worker = new Worker(program, { resourceLimits })
    const thread: Thread = { worker, isReady: false, task: undefined, timer: undefined }
    worker.unref()
    worker.on('message', (answer: ThreadAnswer | typeof ready) => {
      if (answer !== ready) return finish(thread, answer)
      thread.isReady = true
      dispatch()
    })
    worker.once('error', (error: Error & { code?: string }) =>
      fail(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TooExpensive('takes too much memory') : error),
    )
    threads.add(thread)
  }
  /** The tasks that could run now if there were threads for them. */
  const countRunnable = () =>
    [...waiting].reduce((sum, [caller, tasks]) => sum + Math.min(tasks.length, ofOneMax - runningOf(caller)), 0)
  const dispatch = () => {
    for (;;) {
      const thread = [...threads].find(({ isReady, task }) => isReady && !task)
      const task = thread && takeNext()
      if (!task) break
      clearTimeout(thread.timer)
      thread.task = Object.assign(task, { startedAt: now() })
      thread.timer = setTimeout(
        () => fail(thread, new TooExpensive(`takes longer than ${options.deadlineMs / 1000} s`)),
        options.deadlineMs,
      ).unref()
      thread.worker.postMessage(task.message)
    }
    const starting = [...threads].filter(({ isReady }) => !isReady).length
    const missing = Math.min(countRunnable() - starting, options.threadsMax - threads.size)
    for (let started = 0; started < missing; started++) startThread()
  }
  return {
    run(caller, name, input) {
      const minute = minuteOf(caller)
      if (minute && minute.spentMs >= options.callerMsPerMinute) {
        const restSeconds = Math.ceil((minute.startedAt + minuteMs - now()) / 1000)
        return Promise.reject(new ThreadsBusy('You have used the time for large requests of this minute.', restSeconds))
      }
      const own = waiting.get(caller) ?? []
      const all = [...waiting.values()].flat().length
      if (own.length >= options.waitingMax.ofOne || all >= options.waitingMax.ofAll)
        return Promise.reject(new ThreadsBusy('The service has too much of this work right now.'))
      const result = Promise.withResolvers<unknown>()
      own.push({ caller, startedAt: 0, message: { name, input }, result })
      waiting.set(caller, own)
      dispatch()
      return result.promise as ReturnType<Pool<Tasks>['run']>
    },
    async close() {
      for (const { result } of [...waiting.values()].flat()) result.reject(new ThreadsBusy('The service is stopping.'))
      waiting.clear()
      const ended = [...threads]
      for (const thread of ended) {
        end(thread)
        thread.task?.result.reject(new ThreadsBusy('The service is stopping.'))
      }
      await Promise.all(ended.map(({ worker }) => worker.terminate()))
    },
  }
}
