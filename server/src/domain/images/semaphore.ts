/** Runs at most `slots` pieces of work at the same time; the others wait in order. */
export function makeSemaphore(slots: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = slots

  async function enter(): Promise<void> {
    if (free > 0) free -= 1
    else await new Promise<void>((goOn) => waiting.push(goOn))
  }

  /** Passes the slot directly to the next in the queue, so that a new caller cannot take it. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
