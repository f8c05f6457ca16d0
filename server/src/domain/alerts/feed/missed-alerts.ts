import type { AlertRow } from '../../../store/alerts/alerts.ts'
import type { Store } from '../../../store/index.ts'
import { type Position, readPosition } from './position.ts'

/** How many of the newest alerts a resumed stream looks at. Live streams watch about as many for changes. */
const missedMax = 1_000

/** The alerts that a stream missed, each with the position after it. `gap` says why earlier ones may be missing. */
export type MissedAlerts = { alerts: { row: AlertRow; position: Position }[]; snapshot: string; gap?: string }

/** What was committed after the position that a reader names. */
export async function readMissedAlerts(
  store: Store,
  reader: { accountId: string; workspaceId: string | undefined },
  lastEventId: string,
): Promise<MissedAlerts> {
  const { snapshot, isExact } = await store.alertFeed.readSnapshot()
  const last = readPosition(lastEventId, snapshot)
  if (!last) return { alerts: [], snapshot, gap: 'The Last-Event-ID is unknown or too old. Read the lists.' }
  const filter = reader.workspaceId === undefined ? {} : { workspaceId: reader.workspaceId }
  const { rows, next } = await store.alerts.list(reader.accountId, filter, { limit: missedMax })
  const ids = rows.map(({ id }) => id)
  const [afterFrom, afterTo, afterNow] = [
    await store.alertFeed.listWrittenAfter(ids, last.from),
    await store.alertFeed.listWrittenAfter(ids, last.to),
    isExact ? await store.alertFeed.listWrittenAfter(ids, snapshot) : new Set<string>(),
  ]
  const oldest = rows.at(-1)
  const isCut = next !== undefined && oldest !== undefined && afterFrom.has(oldest.id)
  const seen = rows.filter(({ id }) => !afterNow.has(id)).toReversed()
  const interrupted = seen.filter(({ id, seq }) => afterFrom.has(id) && !afterTo.has(id) && BigInt(seq) > last.seq)
  return {
    alerts: [
      ...interrupted.map((row) => ({ row, position: { ...last, seq: BigInt(row.seq) } })),
      ...seen
        .filter(({ id }) => afterTo.has(id))
        .map((row) => ({ row, position: { from: last.to, to: snapshot, seq: BigInt(row.seq) } })),
    ],
    snapshot,
    ...(isCut && { gap: `More than ${missedMax} alerts were missed. Read the lists.` }),
  }
}
