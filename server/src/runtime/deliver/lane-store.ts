import { foldedMessage } from '../../engine/message/folded.ts'
import type { PendingDelivery, TakenDelivery, TakeQuery } from '../../store/alerts/deliveries.ts'
import type { Fold } from '../../store/alerts/folded-deliveries.ts'
import type { TargetRow } from '../../store/alerts/resources.ts'
import { groupCalls } from './group-calls.ts'
import type { DeliverDeps, LaneTurn, TurnRecord } from './lane-deps.ts'
import { recordTurns } from './record-turns.ts'

/**
 * The store as one lane calls it. The calls of all lanes are grouped: ten thousand lanes with one delivery each need some
 * hundred transactions, not fifty thousand.
 */
export type LaneStore = {
  findTarget(resourceId: string): Promise<TargetRow | undefined>
  take(query: TakeQuery): Promise<PendingDelivery[]>
  takeInOrder(query: TakeQuery): Promise<PendingDelivery[]>
  /** Records the results of a turn. True if the lane was released. Throws LaneLost if another process holds it. */
  record(record: TurnRecord): Promise<boolean>
  recoverTaken(turn: LaneTurn): Promise<void>
}

/** What the parts of a lane share. */
export type LaneDeps = DeliverDeps & { laneStore: LaneStore }

/** A lane that is woken while a group runs waits for it, so groups of calls before sending are small. */
const lanesMax = 100
const attemptsMax = 500
/** The results of sends come one by one, so a short wait lets many of them share a commit. */
const recordPaceMs = 10

export function makeLaneStore(deps: DeliverDeps): LaneStore {
  const { store } = deps
  const findTargets = async (ids: readonly string[]) => {
    const found = await store.resources.findTargets(ids)
    return ids.map((id) => found.get(id))
  }
  const take = (ordered: boolean) =>
    groupCalls((queries: readonly TakeQuery[]) => takeDeliveries(queries, ordered, deps), { sizeMax: lanesMax })
  const record = groupCalls((records: readonly TurnRecord[]) => recordTurns(records, deps), {
    sizeMax: attemptsMax,
    sizeOf: ({ attempted }) => 1 + attempted.length,
    paceMs: recordPaceMs,
  })
  return {
    findTarget: groupCalls(findTargets, { sizeMax: lanesMax }),
    take: take(false),
    takeInOrder: take(true),
    async record(turnRecord) {
      const result = await record(turnRecord)
      if (result === 'lost') throw new LaneLost(turnRecord.turn.resourceId)
      return result === 'released'
    },
    recoverTaken: groupCalls((turns: readonly LaneTurn[]) => recoverTaken(turns, deps), { sizeMax: lanesMax }),
  }
}

/** Another process holds the lane. It sends the deliveries that are not recorded again, with the same ids. */
export class LaneLost extends Error {
  constructor(resourceId: string) {
    super(`Another process holds the lane of ${resourceId}.`)
  }
}

/**
 * A process may die after it sent a delivery and before it recorded the result. Such deliveries are marked as possibly
 * delivered, so that a later reorg retracts them too. If their alert is already retracted, a retraction is added now.
 */
async function recoverTaken(
  turns: readonly LaneTurn[],
  { store, clock }: Pick<DeliverDeps, 'store' | 'clock'>,
): Promise<undefined[]> {
  await store.tx(async (store) => {
    const locked = await store.lanes.lock(turns)
    const now = clock()
    const previous = turns.filter(({ resourceId }) => locked.has(resourceId)).flatMap((turn) => turn.previousOwners)
    const taken = await store.foldedDeliveries.withMembers(await store.lanes.recoverTaken(previous))
    // Every transaction locks alerts before deliveries, so that two of them cannot deadlock.
    const retracted = new Set(await store.deliveries.lockAlerts(await store.deliveries.findAlertIds(taken)))
    const possiblyDelivered = await store.deliveries.markMayHaveArrived(taken, now)
    const late = possiblyDelivered.filter(({ alertId }) => retracted.has(alertId)).map(({ id }) => id)
    await store.deliveries.addRetractions(late, now)
  })
  return turns.map(() => undefined)
}

/**
 * Takes deliveries for several lanes, with the content of their alerts. The store writes down which deliveries a lane takes
 * before the lane sends them. Returns a list for each query.
 */
async function takeDeliveries(
  queries: readonly TakeQuery[],
  ordered: boolean,
  { store, clock, destinationDeps }: Pick<DeliverDeps, 'store' | 'clock' | 'destinationDeps'>,
): Promise<PendingDelivery[][]> {
  const lanes = queries.map(({ resourceId }) => resourceId)
  if (ordered) await store.foldedDeliveries.fold(queries, clock())
  const taken = await store.deliveries.take(queries, { ordered, now: clock() })
  const contents = await store.deliveries.findContents(taken.map(({ id }) => id))
  const folds = ordered ? await store.foldedDeliveries.list(taken.map(({ id }) => id)) : undefined
  const byLane = new Map(lanes.map((resourceId): [string, PendingDelivery[]] => [resourceId, []]))
  for (const delivery of taken) {
    const message = contents.get(delivery.id)
    // Without content the alert, and the delivery with it, was deleted meanwhile.
    if (!message) continue
    const pending = pendingOf(delivery, message)
    const fold = folds?.get(delivery.id)
    byLane.get(delivery.resource_id)?.push(fold ? foldedInto(pending, fold, destinationDeps) : pending)
  }
  return lanes.map((resourceId) => byLane.get(resourceId) ?? [])
}

function pendingOf(
  { id, resource_id, alert_id, kind, attempts, attempts_count, createdMs, dueMs, repeat }: TakenDelivery,
  message: Pick<PendingDelivery, 'content' | 'reference'>,
): PendingDelivery {
  return { id, resource_id, alert_id, kind, attempts, attempts_count, createdMs, dueMs, repeat, ...message }
}

/** The delivery with a message that tells of the others too. */
function foldedInto(
  pending: PendingDelivery,
  { members, firstMs, lastMs, titles }: Fold,
  { alertsUrl }: DeliverDeps['destinationDeps'],
): PendingDelivery {
  const { trigger, workspace, subscription_id } = pending.content
  const url = alertsUrl(workspace, subscription_id ?? '')
  const message = foldedMessage({ trigger, count: 1 + members.length, firstMs, lastMs, titles, url })
  return {
    ...pending,
    folded: members,
    content: { ...pending.content, messageJson: JSON.stringify(message) },
  }
}
