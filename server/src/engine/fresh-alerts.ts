import type { AlertContent } from '../store/deliveries.ts'

/**
 * Alerts that this process has just written: a lane of the same process that sends them need not read them back. Whatever
 * is missing here is in the store, so little is kept, and not for long: names may change.
 */
export type FreshAlerts = {
  add(alerts: Iterable<readonly [id: string, content: AlertContent]>): void
  /** What was just asked for is rarely asked for again, but another resource may wait for it. */
  find(id: string): AlertContent | undefined
}

const keptMs = 60_000
const lettersMax = 32_000_000

export function makeFreshAlerts(nowMs = () => performance.now()): FreshAlerts {
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
        const own = content.rawJson.length + content.humanJson.length
        kept.set(id, { content, untilMs, letters: own })
        letters += own
      }
      tidy()
    },
    find(id) {
      const found = kept.get(id)
      if (!found || found.untilMs <= nowMs()) return undefined
      if (found.content.isOnly) forget(id)
      return found.content
    },
  }
}
