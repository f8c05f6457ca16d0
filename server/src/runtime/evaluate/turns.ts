import type { LiveTrigger } from '../listeners/listener.ts'

/** A trigger's own limit on how much of it runs at once holds for a chunk; its chunks therefore take turns. */
export type Turns = { take<T>(trigger: LiveTrigger, work: () => Promise<T>): Promise<T> }

/** Scripts alone need no turns: the sandbox sees to them. */
export function makeTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(trigger, work) {
      if (trigger.runnable.providers.length === 0) return work()
      const turn = (last.get(trigger.id) ?? Promise.resolve()).then(work, work)
      last.set(trigger.id, turn)
      try {
        return await turn
      } finally {
        if (last.get(trigger.id) === turn) last.delete(trigger.id)
      }
    },
  }
}
