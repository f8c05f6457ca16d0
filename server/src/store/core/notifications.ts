export type Bell = {
  ring(): void
  /** Until it rings or the time is over. A ring while nobody waits is not lost. */
  wait(ms: number): Promise<void>
}

export function makeBell(): Bell {
  let hasRung = false
  let answer: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      answer?.()
    },
    async wait(ms) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        answer = resolve
        await promise
        clearTimeout(timer)
        answer = undefined
      }
      hasRung = false
    },
  }
}
