import { findDestination, type Target } from '../../engine/destinations/index.ts'
import { drain } from './drain.ts'
import { giveUp } from './give-up.ts'
import type { LaneTurn } from './lane-deps.ts'
import type { LaneDeps } from './lane-store.ts'
import { releaseOf } from './record-turns.ts'

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
