import type { PendingDelivery, TakeQuery } from '../../store/alerts/deliveries.ts'
import type { TargetRow } from '../../store/alerts/resources.ts'
import { groupCalls } from './group-calls.ts'
import type { DeliverDeps, LaneTurn } from './lane-deps.ts'
import { recordTurns } from './record-turns.ts'
import { recoverTaken } from './recover-taken.ts'
import { takeDeliveries } from './take-deliveries.ts'
import type { TurnRecord } from './turn-record.ts'

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
