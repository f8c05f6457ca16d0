import type { Store } from '../../store/index.ts'
import type { CountedLogEvent, TriggerLogEvent } from '../../store/triggers/trigger-logs.ts'
import type { ChunkResult } from './run-chunk.ts'

/** Writes the failures of chunks into the trigger logs: one entry for each kind of failure, with its count. */
export async function logChunks(store: Store, chunks: readonly ChunkResult[], at: Date): Promise<void> {
  const events = new Map<string, CountedLogEvent>()
  const count = (event: TriggerLogEvent, times: number) => {
    const key = [event.triggerId, event.kind, event.status, event.reasonCode].join(' ')
    events.set(key, { ...event, count: (events.get(key)?.count ?? 0) + times })
  }
  for (const { claimed, failures, postponed, dropped } of chunks) {
    const { triggerId, source } = claimed.data
    const where = { triggerId, ...(source !== null && { source }) }
    for (const { reasonCode, message, sample } of failures)
      count({ ...where, kind: 'delivery_failure', status: 'failed', reasonCode, message, sample }, 1)
    if (postponed) count({ ...where, ...postponedEvent }, postponed.matches.length)
    if (dropped)
      count(
        {
          ...where,
          kind: 'source_pressure',
          status: dropped.level,
          reasonCode: 'trigger.pressure',
          message: dropped.message,
        },
        dropped.count,
      )
  }
  if (events.size > 0) await store.triggerLogs.recordMany([...events.values()], at)
}

const postponedEvent = {
  kind: 'source_pressure',
  status: 'rate_limited',
  reasonCode: 'workspace.alerts_per_minute',
  message:
    'a workspace reached the limit of alerts a minute that the operator set; the rest follows in the next minute',
} as const
