/** So many may hold a slot at once; the others wait in line. */
export type Slots = { take(): Promise<void>; give(): void; readonly areScarce: boolean }

export function makeSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    give() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
    get areScarce() {
      return waiting.length > 0
    },
  }
}
