/** A semaphore for sends: a fixed number may hold a slot at once; the others wait in order of arrival. */
export type SendSlots = { acquire(): Promise<void>; release(): void; readonly areScarce: boolean }

export function makeSendSlots(count: number): SendSlots {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async acquire() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    release() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
    get areScarce() {
      return waiting.length > 0
    },
  }
}
