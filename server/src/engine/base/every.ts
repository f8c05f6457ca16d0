/** Something that was started. `stop` waits for what is under way. */
export type Running = { stop(): Promise<void> }
type Warning = { log: { warn(fields: Record<string, unknown>, message: string): void } }

/** Repeats the work, never twice at once. A failure is logged, and the next turn comes all the same. */
export function every(ms: number, work: () => Promise<void>, { log }: Warning, what: string): Running {
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
        // A store that is away fails every turn: once is enough.
        if (!isFailing) log.warn({ error: String(error) }, `${what} failed`)
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
