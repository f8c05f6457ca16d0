/** Lets through so many pieces of work at once; the others wait in order. */
export function openGate(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = places

  async function enter(): Promise<void> {
    if (free > 0) free -= 1
    else await new Promise<void>((goOn) => waiting.push(goOn))
  }

  /** The place goes straight to the next in line: a newcomer cannot take it in between. */
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
