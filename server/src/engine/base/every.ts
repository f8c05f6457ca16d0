/** A started loop or service. `stop` waits for the work in progress. */
export type Running = { stop(): Promise<void> }
type WithLog = { log: { warn(fields: Record<string, unknown>, message: string): void } }

export type Loop = Running & {
  /** Starts the work now, or `paceMs` after its last start. */
  wake(): void
}
/** Two starts are at least `paceMs` apart. Without a wake the next start is `waitMs()` after the end of the last one. */
export type Pace = { paceMs: number; waitMs(): number }

/** Repeats the work when it is woken, never twice in parallel. It logs a failure and continues with the next turn. */
export function whenWoken(work: () => Promise<void>, { paceMs, waitMs }: Pace, { log }: WithLog, name: string): Loop {
  const attempt = logFirstFailure(work, log, name)
  let [isRunning, isWoken, isStopped] = [false, false, false]
  let startedAt = Number.NEGATIVE_INFINITY
  let current = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const startLater = () => {
    clearTimeout(timer)
    if (isStopped) return
    const paced = startedAt + paceMs - performance.now()
    timer = setTimeout(start, Math.max(0, isWoken ? paced : Math.max(paced, waitMs())))
  }
  const start = () => {
    isWoken = false
    isRunning = true
    startedAt = performance.now()
    current = attempt().finally(() => {
      isRunning = false
      startLater()
    })
  }
  startLater()
  return {
    wake() {
      if (isWoken) return
      isWoken = true
      if (!isRunning) startLater()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await current
    },
  }
}

/** Repeats the work every `ms`, never twice in parallel. It logs a failure and continues with the next turn. */
export function every(ms: number, work: () => Promise<void>, { log }: WithLog, name: string): Running {
  const attempt = logFirstFailure(work, log, name)
  let isStopped = false
  let current = Promise.resolve()
  let isIdle = true
  const timer = setInterval(() => {
    if (!isIdle || isStopped) return
    isIdle = false
    current = attempt().finally(() => {
      isIdle = true
    })
  }, ms)
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await current
    },
  }
}

/** If the database is down, every turn fails: one log line is enough. */
function logFirstFailure(work: () => Promise<void>, log: WithLog['log'], name: string): () => Promise<void> {
  let isFailing = false
  return async () => {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ error: String(error) }, `${name} failed`)
      isFailing = true
    }
  }
}
