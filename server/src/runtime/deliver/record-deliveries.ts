import type { Destination, Sent, Target } from '../../engine/destinations/index.ts'
import type { DeliveryResult, FirstSuccess } from '../../store/alerts/deliveries.ts'
import type { Store } from '../../store/index.ts'
import type { LaneDeps, LaneTurn } from './lane-deps.ts'
import { type Attempted, attemptOf, deliveryAfter, errorLengthMax, postponedDelivery } from './schedule.ts'

export type RecordContext = {
  turn: LaneTurn
  target: Target
  destination: Pick<Destination, 'ordered' | 'blueprint'>
  /** Many attempts in a row failed, so the whole lane pauses. */
  isFailing: boolean
}

/** Another process holds the lane. It sends the deliveries that are not recorded again, with the same ids. */
export class LaneLost extends Error {
  constructor(resourceId: string) {
    super(`Another process holds the lane of ${resourceId}.`)
  }
}

/** The pause of a lane to which nothing arrives. */
const failingPauseMs = 30_000
const dayMs = 86_400_000

/** Records attempts: deliveries, alerts, lane and resource in one commit, which fails if the lane is lost. */
export async function recordDeliveries(
  attempted: readonly Attempted[],
  context: RecordContext,
  deps: LaneDeps,
): Promise<void> {
  const { turn, target, destination } = context
  const areSimple = attempted.every(isSimple)
  const rowsOf = () => attempted.map((each) => rowOf(each, context, deps))
  const rows = areSimple ? [] : rowsOf()
  const now = deps.clock()
  const laneChange = { ...laneHealthOf(attempted), ...pauseOf(attempted, rows, context, now) }
  await deps.crashPoint('deliver.beforeSettle')
  await deps.store.tx(async (store) => {
    const lane = await store.lanes.recordTurn(turn.resourceId, turn.owner, laneChange, now)
    if (!lane) throw laneLost(turn)
    // False if a reorg changed the alerts meanwhile: then they are locked and written one by one.
    const isDone = areSimple && (await store.deliveries.recordFirstSuccesses(attempted.map(firstOf), now))
    if (!isDone) await writeDeliveries(store, attempted, areSimple ? rowsOf() : rows, now)
    const remark = switchOffRemark(attempted, lane.failingSince, now, deps.disableMs)
    turn.isSwitchedOff = remark !== undefined
    if (remark !== undefined) await store.resources.switchOff(turn.resourceId, remark, now)
  })
  await deps.crashPoint('deliver.afterSettle')
  deps.counts.add(attempted, target, destination.blueprint)
}

function laneLost(turn: LaneTurn): LaneLost {
  turn.isLost = true
  return new LaneLost(turn.resourceId)
}

/** Most deliveries arrive at the first attempt and are the only one of their alert. The store has a fast path for them. */
function isSimple({ delivery, outcome }: Attempted): boolean {
  const { content, kind, attempts_count } = delivery
  return (
    content.isOnly === true && kind === 'alert' && attempts_count === 0 && outcome.kind === 'sent' && !outcome.reference
  )
}

function firstOf(attempted: Attempted): FirstSuccess {
  return { id: attempted.delivery.id, attempt: attemptOf(attempted) }
}

/** Locks alerts before deliveries, in the same order as an undo, so that the two cannot deadlock. */
export async function writeDeliveries(
  store: Store,
  attempted: readonly Pick<Attempted, 'delivery'>[],
  rows: readonly DeliveryResult[],
  now: Date,
): Promise<void> {
  const alertIds = [...new Set(attempted.map(({ delivery }) => delivery.alert_id))]
  const retracted = new Set(await store.deliveries.lockAlerts(alertIds))
  await store.deliveries.recordResults(rows, now)
  await store.deliveries.updateAlertStatuses(alertIds, now)
  const late = attempted.filter(({ delivery }) => delivery.kind === 'alert' && retracted.has(delivery.alert_id))
  if (late.length === 0) return
  const ids = late.map(({ delivery }) => delivery.id)
  await store.deliveries.addRetractions(ids, now)
}

function rowOf(attempted: Attempted, { destination }: RecordContext, { random }: LaneDeps): DeliveryResult {
  const { outcome } = attempted
  const isLimit = destination.ordered && outcome.kind === 'later' && outcome.status === 429
  return isLimit && outcome.afterMs !== undefined
    ? postponedDelivery(attempted, outcome.afterMs)
    : deliveryAfter(attempted, random)
}

/** A refused message says nothing about the health of its channel, but people still see the error. */
function laneHealthOf(attempted: readonly Attempted[]): { works?: boolean; error?: string } {
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
