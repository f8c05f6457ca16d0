/** A started loop or service. `stop` waits for the work in progress. */
export type Running = { stop(): Promise<void> }
type WithLog = { log: { warn(fields: Record<string, unknown>, message: string): void } }

/** Repeats the work every `ms`, never twice in parallel. It logs a failure and continues with the next turn. */
export function every(ms: number, work: () => Promise<void>, { log }: WithLog, name: string): Running {
  let isStopped = false
  let isFailing = false
  let current = Promise.resolve()
  let isIdle = true
  const timer = setInterval(() => {
    if (!isIdle || isStopped) return
    isIdle = false
    current = work()
      .then(() => {
        isFailing = false
      })
      .catch((error: unknown) => {
        // If the database is down, every turn fails: one log line is enough.
        if (!isFailing) log.warn({ error: String(error) }, `${name} failed`)
        isFailing = true
      })
      .finally(() => {
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
