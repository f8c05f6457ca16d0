import { type ReadTo, readByClock } from '../../../engine/policies/read-to.ts'
import type { SourceReadTo } from '../../../store/following/followers.ts'
import type { Store } from '../../../store/index.ts'
import type { LiveTrigger } from '../../listeners/live-trigger.ts'

/** A block arrives some time after the time that it names. */
const arrivalMs = 3_000
const notRead = Number.NEGATIVE_INFINITY

/** While jobs of a trigger wait in the queue, its items are not evaluated up to any known time. */
export async function loadReadTo(
  store: Store,
  triggers: Iterable<LiveTrigger>,
  now: Date,
  queue: 'evaluate' | 'evaluate-ordered',
): Promise<(triggerId: string) => ReadTo> {
  const byId = new Map([...triggers].map((trigger) => [trigger.id, trigger]))
  const sources = new Set([...byId.values()].flatMap((trigger) => trigger.sources))
  const readTo = new Map((await store.followers.listReadTo([...sources])).map((row) => [row.source, row]))
  const waiting = await store.jobs.listWaiting(queue, [...byId.keys()])
  const nowMs = now.getTime()
  return (triggerId) => {
    const trigger = byId.get(triggerId)
    if (!trigger || waiting.has(triggerId)) return { nowMs, chainMs: null, clockMs: null }
    if (trigger.sources.length === 0) return readByClock(nowMs)
    return readToOf(
      trigger.sources.map((source) => readTo.get(source)),
      nowMs,
    )
  }
}

/** A trigger on several sources was read as far as the one that is read the least. */
function readToOf(sources: readonly (SourceReadTo | undefined)[], nowMs: number): ReadTo {
  const least = (times: (number | null | undefined)[]) => Math.min(...times.map((ms) => ms ?? notRead))
  const chainMs = least(sources.map((source) => source?.chainMs))
  const clockMs = least(sources.map((source) => source?.clockMs)) - arrivalMs
  return { nowMs, chainMs: known(chainMs), clockMs: known(clockMs) }
}

function known(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null
}
