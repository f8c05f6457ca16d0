import type { Destination, Sent } from '../../engine/destinations/index.ts'
import { CountChanges } from '../../store/alerts/count-changes.ts'
import type { DeliveryResult, PendingDelivery } from '../../store/alerts/deliveries.ts'
import type { LockedLane, TurnResult } from '../../store/alerts/lanes.ts'
import type { Store } from '../../store/index.ts'
import type { DeliverDeps, LaneTurn, TurnRecord } from './lane-deps.ts'
import { reportHealth } from './report-health.ts'
import { type Attempted, attemptOf, deliveryAfter, errorLengthMax, postponedDelivery, type Random } from './schedule.ts'

export type RecordContext = {
  turn: LaneTurn
  destination: Pick<Destination, 'ordered'>
  /** Many attempts in a row failed, so the whole lane pauses. */
  isFailing: boolean
}
type RecordDeps = Pick<DeliverDeps, 'store' | 'clock' | 'crashPoint' | 'disableMs'>

/** The pause of a lane to which nothing arrives. */
const failingPauseMs = 30_000
const dayMs = 86_400_000

export function recordOf(
  attempted: readonly Attempted[],
  context: RecordContext,
  mayRelease: boolean,
  { clock, random }: Pick<DeliverDeps, 'clock' | 'random'>,
): TurnRecord {
  const rows = attempted.map((each) => rowOf(each, context, random))
  const last = attempted.at(-1)
  const lastAttempt = last && attemptOf(last)
  const change = { ...laneHealthOf(attempted), ...pauseOf(attempted, rows, context, clock()), lastAttempt }
  return { turn: context.turn, attempted, change, rows, mayRelease }
}

/** A record without attempts: the lane is released if nothing is due. */
export function releaseOf(turn: LaneTurn): TurnRecord {
  return { turn, attempted: [], change: {}, rows: [], mayRelease: true }
}

/**
 * Records the attempts of several lanes in one commit: deliveries, alerts, lanes and resources. It writes nothing for a
 * lane that another process holds.
 */
export async function recordTurns(
  records: readonly TurnRecord[],
  deps: RecordDeps,
): Promise<('held' | 'released' | 'lost')[]> {
  const hasAttempts = records.some(({ attempted }) => attempted.length > 0)
  if (hasAttempts) await deps.crashPoint('deliver.beforeSettle')
  const { locked, released } = await deps.store.tx(async (store) => {
    const now = deps.clock()
    const locked = await store.lanes.lock(records.map(({ turn }) => turn))
    const held = records.filter(({ turn }) => locked.has(turn.resourceId))
    if (hasAttempts) await writeDeliveries(store, held, now)
    await store.hourlyCounts.addChanges(countAttempts(held), now)
    for (const record of held) await switchOff(store, record, locked.get(record.turn.resourceId), now, deps.disableMs)
    await reportHealth(store, held, locked, now)
    const released = await store.lanes.recordTurns(held.map(resultOf), now)
    return { locked, released }
  })
  if (hasAttempts) await deps.crashPoint('deliver.afterSettle')
  return records.map(({ turn }) => {
    turn.isLost ||= !locked.has(turn.resourceId)
    if (turn.isLost) return 'lost'
    return released.has(turn.resourceId) ? 'released' : 'held'
  })
}

function resultOf({ turn, change, mayRelease }: TurnRecord): TurnResult {
  const { resourceId, owner, isWoken, isSwitchedOff } = turn
  return { resourceId, owner, ...change, mayRelease: mayRelease && !isWoken && !isSwitchedOff }
}

/** A delivery that a rate limit postponed had no attempt. A retraction is not a delivery of an alert. */
function countAttempts(records: readonly TurnRecord[]): CountChanges {
  const counts = new CountChanges()
  for (const { turn, attempted, rows } of records) {
    for (const [at, { delivery, outcome }] of attempted.entries()) {
      const alert = delivery.kind === 'alert' ? delivery.content : null
      const result = rows[at]
      const ended = 1 + (delivery.folded?.length ?? 0)
      if (outcome.kind === 'sent') counts.add(alert, 'delivered', turn.resourceId, ended)
      else if (result?.attemptsCount !== delivery.attempts_count) counts.add(alert, 'failedAttempts', turn.resourceId)
      if (result?.status === 'dead') counts.add(alert, 'failed', turn.resourceId, ended)
    }
  }
  return counts
}

async function switchOff(
  store: Store,
  { turn, attempted, change }: TurnRecord,
  lane: LockedLane | undefined,
  now: Date,
  disableMs: number,
): Promise<void> {
  const failingSince = change.works === false ? (lane?.failingSince ?? now) : null
  const remark = switchOffRemark(attempted, failingSince, now, disableMs)
  if (remark === undefined) return
  turn.isSwitchedOff = true
  await store.resources.switchOff(turn.resourceId, remark, now)
}

/** Locks alerts before deliveries, in the same order as an undo, so that the two cannot deadlock. */
async function writeDeliveries(store: Store, records: readonly TurnRecord[], now: Date): Promise<void> {
  const attempted = records.flatMap((record) => record.attempted)
  const rows = records.flatMap((record) => record.rows)
  const told = attempted.flatMap(({ delivery }) => toldBy(delivery))
  const alertIds = [...new Set(told.map(({ alertId }) => alertId))]
  const retracted = new Set(await store.deliveries.lockAlerts(alertIds))
  await store.deliveries.recordResults(withFolded(rows, attempted), now)
  await store.deliveries.updateAlertStatuses(alertIds, now)
  const late = told.filter(({ isAlert, alertId }) => isAlert && retracted.has(alertId))
  if (late.length === 0) return
  const ids = late.map(({ id }) => id)
  await store.deliveries.addRetractions(ids, now)
}

/** The deliveries that a message is: its own, and those that it tells of too. */
function toldBy({ id, alert_id: alertId, kind, folded = [] }: PendingDelivery) {
  return [{ id, alertId }, ...folded].map((one) => ({ ...one, isAlert: kind === 'alert' }))
}

/** The result of a message is the result of each delivery that it tells of. They had no attempt of their own. */
function withFolded(rows: readonly DeliveryResult[], attempted: readonly Pick<Attempted, 'delivery'>[]) {
  const folded = new Map(attempted.map(({ delivery }) => [delivery.id, delivery.folded ?? []]))
  return rows.flatMap((row) => [
    row,
    ...(folded.get(row.id) ?? []).map(({ id }) => ({ ...row, id, attempts: [], attemptsCount: 0, sent: null })),
  ])
}

function rowOf(attempted: Attempted, { destination }: RecordContext, random: Random): DeliveryResult {
  const { outcome } = attempted
  const isLimit = destination.ordered && outcome.kind === 'later' && outcome.status === 429
  return isLimit && outcome.afterMs !== undefined
    ? postponedDelivery(attempted, outcome.afterMs)
    : deliveryAfter(attempted, random)
}

/** A refused message says nothing about the health of its channel, but people still see the error. */
function laneHealthOf(attempted: readonly Attempted[]): TurnRecord['change'] {
  if (attempted.some(({ outcome }) => outcome.kind === 'sent')) return { works: true }
  const last = attempted.at(-1)
  const error = last ? { error: reasonOf(last.outcome).slice(0, errorLengthMax) } : {}
  const isChannelFailing = attempted.some(({ outcome }) => outcome.kind === 'later' || outcome.kind === 'gone')
  return isChannelFailing ? { works: false, ...error } : error
}

/** The pause of the whole lane: as long as the receiver asks for; in an ordered lane, until the first delivery is due. */
function pauseOf(
  attempted: readonly Attempted[],
  rows: readonly DeliveryResult[],
  { destination, isFailing }: RecordContext,
  now: Date,
): { notBefore?: Date } {
  const pauseEnds = attempted.flatMap(({ outcome, at }, index) => {
    if (outcome.kind !== 'later') return []
    const dueAt = rows[index]?.status === 'pending' ? rows[index].dueAt.getTime() : 0
    return destination.ordered ? dueAt : at.getTime() + (outcome.afterMs ?? 0)
  })
  const untilMs = Math.max(0, ...pauseEnds, isFailing ? now.getTime() + failingPauseMs : 0)
  return untilMs > now.getTime() ? { notBefore: new Date(untilMs) } : {}
}

/** Why the resource must be switched off; undefined if it stays on. */
function switchOffRemark(
  attempted: readonly Attempted[],
  failingSince: Date | null,
  now: Date,
  disableMs: number,
): string | undefined {
  const gone = attempted.find(({ outcome }) => outcome.kind === 'gone')
  if (gone) return `Switched off: ${reasonOf(gone.outcome)}`
  const last = attempted.findLast(({ outcome }) => outcome.kind === 'later')
  if (!last || failingSince === null || now.getTime() - failingSince.getTime() < disableMs) return undefined
  const days = Math.round(disableMs / dayMs)
  return `Switched off: nothing arrived for ${days} ${days === 1 ? 'day' : 'days'}. ${reasonOf(last.outcome)}`
}

function reasonOf(outcome: Sent): string {
  return outcome.kind === 'sent' ? '' : outcome.reason
}
