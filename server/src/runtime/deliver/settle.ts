import type { Destination, Sent, Target } from '../../engine/destinations/index.ts'
import type { FirstDelivered, SettledDelivery } from '../../store/alerts/deliveries.ts'
import type { Store } from '../../store/index.ts'
import type { Parts, Turn } from './parts.ts'
import { attemptOf, errorLengthMax, postponed, settled, type Tried } from './schedule.ts'

export type Settling = {
  turn: Turn
  target: Target
  destination: Pick<Destination, 'ordered' | 'blueprint'>
  /** Nothing arrives there at all. */
  isFailing: boolean
}

/** Another process holds the lane: it will send again what was not settled, with the same ids. */
export class LaneLost extends Error {
  constructor(resourceId: string) {
    super(`The lane of ${resourceId} is held by another.`)
  }
}

/** A lane to which nothing arrives rests as a whole. */
const restMs = 30_000
const dayMs = 86_400_000

/** What was tried → deliveries, alerts, lane and resource, in one commit, and only while the lane is held. */
export async function settle(tried: readonly Tried[], settling: Settling, parts: Parts): Promise<void> {
  const { turn, target, destination } = settling
  const areFirst = tried.every(isFirst)
  const rowsOf = () => tried.map((each) => rowOf(each, settling, parts))
  const rows = areFirst ? [] : rowsOf()
  const now = parts.clock()
  const news = { ...worksOf(tried), ...restOf(tried, rows, settling, now) }
  await parts.crashPoint('deliver.beforeSettle')
  await parts.store.tx(async (store) => {
    const lane = await store.lanes.keep(turn.resourceId, turn.owner, news, now)
    if (!lane) throw lost(turn)
    // Where it is not, a reorganisation came in between; should another come now, one of the two begins anew.
    const isDone = areFirst && (await store.deliveries.settleFirst(tried.map(firstOf), now))
    if (!isDone) await writeDown(store, tried, areFirst ? rowsOf() : rows, now)
    const remark = offRemark(tried, lane.failingSince, now, parts.disableMs)
    turn.isSwitchedOff = remark !== undefined
    if (remark !== undefined) await store.resources.switchOff(turn.resourceId, remark, now)
  })
  await parts.crashPoint('deliver.afterSettle')
  parts.tally.add(tried, target, destination.blueprint)
}

function lost(turn: Turn): LaneLost {
  turn.isLost = true
  return new LaneLost(turn.resourceId)
}

/** One that arrived at once, as nearly all do, and is all that there is of its alert. */
function isFirst({ delivery, outcome }: Tried): boolean {
  const { content, kind, attempts_count } = delivery
  return (
    content.isOnly === true && kind === 'alert' && attempts_count === 0 && outcome.kind === 'sent' && !outcome.reference
  )
}

function firstOf(tried: Tried): FirstDelivered {
  return { id: tried.delivery.id, attempt: attemptOf(tried) }
}

/** Alerts before deliveries, as a reorganisation takes them: the two never wait for each other. */
export async function writeDown(
  store: Store,
  tried: readonly Pick<Tried, 'delivery'>[],
  rows: readonly SettledDelivery[],
  now: Date,
): Promise<void> {
  const alertIds = [...new Set(tried.map(({ delivery }) => delivery.alert_id))]
  const retracted = new Set(await store.deliveries.lockAlerts(alertIds))
  await store.deliveries.settle(rows, now)
  await store.deliveries.settleAlerts(alertIds, now)
  const late = tried.filter(({ delivery }) => delivery.kind === 'alert' && retracted.has(delivery.alert_id))
  if (late.length === 0) return
  const ids = late.map(({ delivery }) => delivery.id)
  await store.deliveries.addRetractions(ids, now)
}

function rowOf(tried: Tried, { destination }: Settling, { chance }: Parts): SettledDelivery {
  const { outcome } = tried
  const isLimit = destination.ordered && outcome.kind === 'later' && outcome.status === 429
  return isLimit && outcome.afterMs !== undefined ? postponed(tried, outcome.afterMs) : settled(tried, chance)
}

/** A message that its channel does not take says nothing about the channel; people still see the error. */
function worksOf(tried: readonly Tried[]): { works?: boolean; error?: string } {
  if (tried.some(({ outcome }) => outcome.kind === 'sent')) return { works: true }
  const last = tried.at(-1)
  const error = last ? { error: reasonOf(last.outcome).slice(0, errorLengthMax) } : {}
  const isChannel = tried.some(({ outcome }) => outcome.kind === 'later' || outcome.kind === 'gone')
  return isChannel ? { works: false, ...error } : error
}

/** Until when the whole lane rests: as the other side wished, or in order until the first that has to wait is due. */
function restOf(
  tried: readonly Tried[],
  rows: readonly SettledDelivery[],
  { destination, isFailing }: Settling,
  now: Date,
): { notBefore?: Date } {
  const wishes = tried.flatMap(({ outcome, at }, index) => {
    if (outcome.kind !== 'later') return []
    const dueAt = rows[index]?.status === 'pending' ? rows[index].dueAt.getTime() : 0
    return destination.ordered ? dueAt : at.getTime() + (outcome.afterMs ?? 0)
  })
  const untilMs = Math.max(0, ...wishes, isFailing ? now.getTime() + restMs : 0)
  return untilMs > now.getTime() ? { notBefore: new Date(untilMs) } : {}
}

/** Why the resource is to be switched off, if it is. */
function offRemark(
  tried: readonly Tried[],
  failingSince: Date | null,
  now: Date,
  disableMs: number,
): string | undefined {
  const gone = tried.find(({ outcome }) => outcome.kind === 'gone')
  if (gone) return `Switched off: ${reasonOf(gone.outcome)}`
  const last = tried.findLast(({ outcome }) => outcome.kind === 'later')
  if (!last || failingSince === null || now.getTime() - failingSince.getTime() < disableMs) return undefined
  const days = Math.round(disableMs / dayMs)
  return `Switched off: nothing arrived for ${days} ${days === 1 ? 'day' : 'days'}. ${reasonOf(last.outcome)}`
}

function reasonOf(outcome: Sent): string {
  return outcome.kind === 'sent' ? '' : outcome.reason
}
