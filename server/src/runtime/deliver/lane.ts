import { findDestination, type Target } from '../../engine/destinations/index.ts'
import { drain } from './drain.ts'
import type { LaneTurn } from './lane-deps.ts'
import type { LaneDeps } from './lane-store.ts'
import { noteAttempts } from './note-attempts.ts'
import { releaseOf } from './record-turns.ts'
import { type Attempted, deliveryAfter } from './schedule.ts'

/** A lane may run this long while other lanes wait for a turn. */
const turnMaxMs = 10_000

/**
 * Runs one turn of a lane: it sends due deliveries until none is left, then releases the lane. The release happens in the
 * transaction that locks the lane and finds nothing due, if possible together with the last results. So a wake-up is either
 * seen by this turn or finds the lane free.
 */
export async function runLane(turn: LaneTurn, deps: LaneDeps): Promise<void> {
  const { store, laneStore, laneState } = deps
  const startedMs = performance.now()
  for (;;) {
    turn.isWoken = false
    if (await sendDue(turn, deps)) return
    if (turn.isLost) return
    if (laneState.isStopping) return store.lanes.release(turn.resourceId, turn.owner)
    if (laneState.isCrowded && performance.now() - startedMs > turnMaxMs) {
      // The lane starts again after the lanes that wait now.
      turn.isWoken = true
      return store.lanes.release(turn.resourceId, turn.owner)
    }
    // A resource that was just switched off also loses the deliveries that wait for a retry.
    if (turn.isSwitchedOff) turn.isSwitchedOff = false
    else if (await laneStore.record(releaseOf(turn))) return
  }
}

/** True if the lane was released with the last record. */
async function sendDue(turn: LaneTurn, deps: LaneDeps): Promise<boolean> {
  const row = turn.target ?? (await deps.laneStore.findTarget(turn.resourceId))
  turn.target = undefined
  // The resource was deleted, and its lane with it. The search for due deliveries drops what was pending for it.
  if (!row) return true
  const target: Target = { resourceId: row.id, fullname: row.fullname, data: row.data, private: row.private }
  const destination = findDestination(row.blueprint)
  if (destination && row.ready) return drain({ turn, target, destination }, deps)
  const reason = destination
    ? `The resource is not ready: ${row.remark ?? ''}`
    : `This service cannot send to ${row.blueprint}.`
  await giveUp(turn, target, row.blueprint, reason, deps)
  return false
}

const batchMax = 200

/** Fails all deliveries of a resource that cannot receive, due or not. They are listed as failed and can be replayed. */
async function giveUp(
  turn: LaneTurn,
  target: Target,
  blueprint: string,
  reason: string,
  deps: LaneDeps,
): Promise<void> {
  const { clock, laneStore } = deps
  const { resourceId, owner } = turn
  while (!deps.laneState.isStopping && !turn.isLost) {
    const taken = await laneStore.takeInOrder({ resourceId, owner, limit: batchMax, open: [] })
    if (taken.length === 0) return
    const outcome = { kind: 'never', reason } as const
    const attempted = taken.map((delivery): Attempted => ({ delivery, outcome, at: clock(), durationMs: 0 }))
    const rows = attempted.map((each) => deliveryAfter(each, deps.random))
    // The lane keeps its health: nothing was sent.
    await laneStore.record({ turn, attempted, change: {}, rows, mayRelease: false })
    deps.counts.add(attempted, target, blueprint)
    noteAttempts(deps, attempted, blueprint)
  }
}
