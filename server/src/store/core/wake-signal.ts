/** Lets one loop sleep until other code wakes it. */
export type WakeSignal = {
  wake(): void
  /** Resolves at the next `wake` or after the time. A `wake` before the call ends the wait at once. */
  wait(ms: number): Promise<void>
}

export function makeWakeSignal(): WakeSignal {
  let isWoken = false
  let endWait: (() => void) | undefined
  return {
    wake() {
      isWoken = true
      endWait?.()
    },
    async wait(ms) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        endWait = resolve
        await promise
        clearTimeout(timer)
        endWait = undefined
      }
      isWoken = false
    },
  }
}
