import { destinationOf, type Target } from '../../engine/destinations/index.ts'
import { drain } from './drain.ts'
import { giveUp } from './give-up.ts'
import type { Parts, Turn } from './parts.ts'

/** So long at the most until the resource is looked at again: it may have changed. */
const lookMs = 2_000
/** So long a lane may go on while others wait for their turn. */
const turnMs = 10_000

/**
 * One turn of a lane: sends what is due until nothing is. The lane is freed while its row is held and after a look that
 * found nothing, so a wake-up that came meanwhile has either been seen, or finds the lane free.
 */
export async function runLane(turn: Turn, parts: Parts): Promise<void> {
  const { store } = parts
  const startedMs = performance.now()
  for (;;) {
    turn.isWoken = false
    await sendDue(turn, parts)
    // What waits for a later attempt is given up with the rest.
    if (turn.isSwitchedOff) await sendDue(turn, parts)
    if (turn.isLost) return
    const isOver = parts.mood.isStopping || (parts.mood.isCrowded && performance.now() - startedMs > turnMs)
    if (isOver) return store.lanes.free(turn.resourceId, turn.owner)
    if (await freeWhenIdle(turn, parts)) return
  }
}

async function sendDue(turn: Turn, parts: Parts): Promise<void> {
  const row = await parts.store.resources.findTarget(turn.resourceId)
  // Deleted, and its lane with it; what was pending for it belongs to nobody and is dropped by the sweep.
  if (!row) return
  const target: Target = { resourceId: row.id, fullname: row.fullname, data: row.data, private: row.private }
  const destination = destinationOf(row.blueprint)
  if (!destination) return giveUp(turn, target, row.blueprint, `Nothing here can send to ${row.blueprint}.`, parts)
  if (!row.ready) return giveUp(turn, target, row.blueprint, `The resource is not ready: ${row.remark ?? ''}`, parts)
  await drain({ turn, target, destination, untilMs: performance.now() + lookMs }, parts)
}

async function freeWhenIdle(turn: Turn, { store, clock }: Parts): Promise<boolean> {
  const { resourceId, owner } = turn
  return store.tx(async (store) => {
    const lane = await store.lanes.lock(resourceId, owner)
    if (!lane) return true
    const now = clock()
    const rests = lane.notBefore !== null && lane.notBefore > now
    if (!rests && (turn.isWoken || (await store.deliveries.hasDue(resourceId, now)))) return false
    await store.lanes.free(resourceId, owner)
    return true
  })
}
