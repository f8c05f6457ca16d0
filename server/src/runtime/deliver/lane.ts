import { findDestination, type Target } from '../../engine/destinations/index.ts'
import { drain } from './drain.ts'
import { giveUp } from './give-up.ts'
import type { LaneDeps, LaneTurn } from './lane-deps.ts'

/** The resource is read again after this time, because it may have changed. */
const rereadMs = 2_000
/** A lane may run this long while other lanes wait for a turn. */
const turnMaxMs = 10_000

/**
 * Runs one turn of a lane: it sends due deliveries until none is left, then releases the lane. The release happens in the
 * transaction that locks the lane and finds nothing due. So a wake-up is either seen by this turn or finds the lane free.
 */
export async function runLane(turn: LaneTurn, deps: LaneDeps): Promise<void> {
  const { store, laneState } = deps
  const startedMs = performance.now()
  for (;;) {
    turn.isWoken = false
    await sendDue(turn, deps)
    // A resource that was just switched off also loses the deliveries that wait for a retry.
    if (turn.isSwitchedOff) await sendDue(turn, deps)
    if (turn.isLost) return
    const mustEnd = laneState.isStopping || (laneState.isCrowded && performance.now() - startedMs > turnMaxMs)
    if (mustEnd) return store.lanes.release(turn.resourceId, turn.owner)
    if (await freeWhenIdle(turn, deps)) return
  }
}

async function sendDue(turn: LaneTurn, deps: LaneDeps): Promise<void> {
  const row = await deps.store.resources.findTarget(turn.resourceId)
  // The resource was deleted, and its lane with it. The search for due deliveries drops what was pending for it.
  if (!row) return
  const target: Target = { resourceId: row.id, fullname: row.fullname, data: row.data, private: row.private }
  const destination = findDestination(row.blueprint)
  if (!destination) return giveUp(turn, target, row.blueprint, `This service cannot send to ${row.blueprint}.`, deps)
  if (!row.ready) return giveUp(turn, target, row.blueprint, `The resource is not ready: ${row.remark ?? ''}`, deps)
  await drain({ turn, target, destination, untilMs: performance.now() + rereadMs }, deps)
}

async function freeWhenIdle(turn: LaneTurn, { store, clock }: LaneDeps): Promise<boolean> {
  const { resourceId, owner } = turn
  return store.tx(async (store) => {
    const lane = await store.lanes.lock(resourceId, owner)
    if (!lane) return true
    const now = clock()
    const isPaused = lane.notBefore !== null && lane.notBefore > now
    if (!isPaused && (turn.isWoken || (await store.deliveries.hasDue(resourceId, now)))) return false
    await store.lanes.release(resourceId, owner)
    return true
  })
}
