import type { TriggerLogRow } from '../../store/trigger-logs.ts'
import { requireRank } from '../access.ts'
import type { Handler } from '../handler.ts'
import { requireTrigger } from './find.ts'

export const getTriggerLogs: Handler<'getTriggerLogs'> = async ({ account, params, query, store }) => {
  const row = await requireTrigger(store, account, params.fullname)
  requireRank(row.level, 'developer')
  const { limit, direction, status, datetime } = query
  const at = datetime === undefined ? undefined : new Date(datetime)
  const { rows, hasMore } = await store.triggerLogs.list(row.id, { limit, direction, status, at })
  return {
    trigger: { fullname: row.fullname, meta: row.meta, status: row.status },
    subscriptions: { total: 0, active: 0, paused: 0 },
    logs: rows.map(logView),
    hasMore,
  }
}

function logView(row: TriggerLogRow) {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    ...(row.reason_code !== null && { reasonCode: row.reason_code }),
    ...(row.message !== null && { message: row.message }),
    count: row.count,
    firstSeenAt: row.first_seen_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    ...(row.channel !== null && { channel: row.channel }),
    ...(row.resource !== null && { resource: row.resource }),
    ...(row.source !== null && { source: row.source }),
    ...(row.sample !== null && { sample: row.sample }),
  }
}
