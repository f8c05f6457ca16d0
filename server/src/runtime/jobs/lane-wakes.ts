import { randomUUID } from 'node:crypto'

/**
 * Wakes the delivery lanes of this process for alerts that it has just recorded. The lanes then find the alerts in the cache
 * of this process. The job that wakes lanes is in the store too, for the case that this process dies; it names this process,
 * which then need not wake its lanes twice.
 */
export type LaneWakes = { id: string; wake(resourceIds: Iterable<string>): void; listen(onWake: OnWake): void }
type OnWake = (resourceIds: Iterable<string>) => void

export function makeLaneWakes(): LaneWakes {
  let onWake: OnWake = () => undefined
  return {
    id: randomUUID(),
    wake: (resourceIds) => onWake(resourceIds),
    listen(listener) {
      onWake = listener
    },
  }
}
