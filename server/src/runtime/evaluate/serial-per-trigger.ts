import type { LiveTrigger } from '../listeners/live-trigger.ts'

export type SerialPerTrigger = { run<T>(trigger: LiveTrigger, work: () => Promise<T>): Promise<T> }

/**
 * Runs the chunks of one trigger one after the other. A trigger's own limit on concurrent runs holds within a chunk, so
 * two chunks at once would exceed it. Triggers without providers are not serialized: the sandbox limits scripts.
 */
export function makeSerialPerTrigger(): SerialPerTrigger {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(trigger, work) {
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
