/**
 * Wakes the delivery lanes of this process for alerts that it has just recorded. No job is added for them: if this process
 * dies, the search for due deliveries finds them.
 */
export type LaneWakes = {
  /** False if this process runs no delivery lanes. Then a job has to wake those of another process. */
  readonly isListening: boolean
  wake(resourceIds: Iterable<string>): void
  /** Returns the function that ends it. */
  listen(onWake: OnWake): () => void
}
type OnWake = (resourceIds: Iterable<string>) => void

export function makeLaneWakes(): LaneWakes {
  let listener: OnWake | undefined
  return {
    get isListening() {
      return listener !== undefined
    },
    wake: (resourceIds) => listener?.(resourceIds),
    listen(onWake) {
      listener = onWake
      return () => {
        listener = undefined
      }
    },
  }
}
