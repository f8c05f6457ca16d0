import type { AlertRow } from '../../../store/alerts/alerts.ts'
import type { Store } from '../../../store/index.ts'
import { alertView } from '../views.ts'
import type { AccountUpdates } from './alert-updates.ts'
import type { EventQueue, FeedEvent } from './event-queue.ts'
import { type Position, positionText, readPosition, wholePosition } from './position.ts'

/** One open stream. */
export type Stream = {
  queue: EventQueue
  workspaceId: string | undefined
  hasSources: boolean
  /** Everything that this snapshot sees was sent. */
  snapshot: string
  /** Until its first poll ends, which may read alerts that the snapshot sees: they are older, or were sent already. */
  isNew: boolean
}

/** Runs work that only reads, on the primary or a replica. */
export type Read = <T>(work: (store: Store) => Promise<T>) => Promise<T>

/** Sends the alerts that the reader missed. No poll runs until the stream is open, so no poll misses it. */
export async function resume(read: Read, accountId: string, stream: Stream, lastEventId: string): Promise<void> {
  const { workspaceId } = stream
  const missed = await read((store) => readMissedAlerts(store, { accountId, workspaceId }, lastEventId))
  const gap: FeedEvent[] = missed.gap === undefined ? [] : [{ event: 'gap', data: { reason: missed.gap } }]
  stream.queue.push([
    ...gap,
    ...missed.alerts.map(({ row, position }): FeedEvent => {
      return { event: 'alert', data: alertView(row), id: positionText(position) }
    }),
    { id: positionText(wholePosition(missed.snapshot)) },
  ])
  stream.snapshot = missed.snapshot
}

/** The position moves on when everything up to the snapshot was sent. */
export function sendAlerts(stream: Stream, snapshot: string, { rows, isWhole }: AccountUpdates): void {
  const { workspaceId } = stream
  const sent = rows.filter((row) => workspaceId === undefined || row.workspace_id === workspaceId)
  stream.queue.push(
    sent.map((row) => {
      const position = { from: stream.snapshot, to: snapshot, seq: BigInt(row.seq) }
      return { event: 'alert', data: alertView(row), id: positionText(position) }
    }),
  )
  if (!isWhole) return
  stream.snapshot = snapshot
  stream.isNew = false
}

/** Leaves out alerts from before the stream's snapshot. If that fails, the stream ends and its reader resumes it. */
export async function sendFirstAlerts(
  read: Read,
  stream: Stream,
  snapshot: string,
  { rows, isWhole }: AccountUpdates,
): Promise<void> {
  if (rows.length === 0) return sendAlerts(stream, snapshot, { rows, isWhole })
  const ids = rows.map(({ id }) => id)
  try {
    const after = await read((store) => store.alertFeed.listWrittenAfter(ids, stream.snapshot))
    sendAlerts(stream, snapshot, { rows: rows.filter(({ id }) => after.has(id)), isWhole })
  } catch {
    stream.queue.end()
  }
}

/** How many of the newest alerts a resumed stream looks at. Live streams watch about as many for changes. */
const missedMax = 1_000

/** The alerts that a stream missed, each with the position after it. `gap` says why earlier ones may be missing. */
type MissedAlerts = { alerts: { row: AlertRow; position: Position }[]; snapshot: string; gap?: string }

/** What was committed after the position that a reader names. */
async function readMissedAlerts(
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
