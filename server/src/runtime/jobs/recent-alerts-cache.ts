import type { AlertContent } from '../../store/alerts/deliveries.ts'

/**
 * A cache of the alerts that this process wrote, so that its lanes need not read them back. Everything is in the store
 * too, so the cache is small, and entries expire after a minute because names in them may change.
 */
export type RecentAlertsCache = {
  add(alerts: Iterable<readonly [id: string, content: AlertContent]>): void
  /** Removes alerts that were delivered, or whose commit failed. */
  drop(ids: Iterable<string>): void
  find(id: string): AlertContent | undefined
}

const keptMs = 60_000
const charactersMax = 16_000_000

export function makeRecentAlertsCache(nowMs = () => performance.now()): RecentAlertsCache {
  const kept = new Map<string, { content: AlertContent; untilMs: number; characters: number }>()
  let characters = 0
  const remove = (id: string) => {
    const known = kept.get(id)
    if (!known) return
    characters -= known.characters
    kept.delete(id)
  }
  const evict = () => {
    for (const [id, { untilMs }] of kept) {
      if (characters <= charactersMax && untilMs > nowMs()) break
      remove(id)
    }
  }
  return {
    add(alerts) {
      const untilMs = nowMs() + keptMs
      for (const [id, content] of alerts) {
        remove(id)
        const size = content.messageJson.length + content.rawJson.length + content.humanJson.length
        kept.set(id, { content, untilMs, characters: size })
        characters += size
      }
      evict()
    },
    drop(ids) {
      for (const id of ids) remove(id)
    },
    find(id) {
      const found = kept.get(id)
      return found && found.untilMs > nowMs() ? found.content : undefined
    },
  }
}
