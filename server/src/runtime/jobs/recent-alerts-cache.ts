import type { AlertContent } from '../../store/alerts/deliveries.ts'

/**
 * Alerts that this process writes: a lane of the same process that sends them need not read them back. Whatever
 * is missing here is in the store, so little is kept, and not for long: names may change.
 */
export type RecentAlertsCache = {
  add(alerts: Iterable<readonly [id: string, content: AlertContent]>): void
  /** Nobody will ask for them: they have arrived, or were not written after all. */
  drop(ids: Iterable<string>): void
  find(id: string): AlertContent | undefined
}

const keptMs = 60_000
const lettersMax = 32_000_000

export function makeRecentAlertsCache(nowMs = () => performance.now()): RecentAlertsCache {
  const kept = new Map<string, { content: AlertContent; untilMs: number; letters: number }>()
  let letters = 0
  const forget = (id: string) => {
    letters -= kept.get(id)?.letters ?? 0
    kept.delete(id)
  }
  const tidy = () => {
    for (const [id, { untilMs }] of kept) {
      if (letters <= lettersMax && untilMs > nowMs()) break
      forget(id)
    }
  }
  return {
    add(alerts) {
      const untilMs = nowMs() + keptMs
      for (const [id, content] of alerts) {
        forget(id)
        const own = content.messageJson.length + content.rawJson.length + content.humanJson.length
        kept.set(id, { content, untilMs, letters: own })
        letters += own
      }
      tidy()
    },
    drop(ids) {
      for (const id of ids) forget(id)
    },
    find(id) {
      const found = kept.get(id)
      return found && found.untilMs > nowMs() ? found.content : undefined
    },
  }
}
