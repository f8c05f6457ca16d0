import type { Target } from '../../engine/destinations/index.ts'
import type { DeliveryResult } from '../../store/alerts/deliveries.ts'
import type { LaneDeps, LaneTurn } from './lane-deps.ts'
import { LaneLost, writeDeliveries } from './record-deliveries.ts'
import { type Attempted, deliveryAfter } from './schedule.ts'
import { takeDeliveries } from './take-deliveries.ts'

const batchMax = 200

/** Fails all deliveries of a resource that cannot receive, due or not. They are listed as failed and can be replayed. */
export async function giveUp(
  turn: LaneTurn,
  target: Target,
  blueprint: string,
  reason: string,
  deps: LaneDeps,
): Promise<void> {
  const { clock } = deps
  while (!deps.laneState.isStopping && !turn.isLost) {
    const now = clock()
    const taken = await takeDeliveries({ ...turn, now, ordered: true, limit: batchMax, open: [] }, deps)
    if (taken.length === 0) return
    const outcome = { kind: 'never', reason } as const
    const attempted = taken.map((delivery): Attempted => ({ delivery, outcome, at: now, durationMs: 0 }))
    await commit(
      turn,
      attempted,
      attempted.map((each) => deliveryAfter(each, deps.random)),
      deps,
    )
    deps.counts.add(attempted, target, blueprint)
  }
}

async function commit(
  turn: LaneTurn,
  attempted: readonly Attempted[],
  rows: readonly DeliveryResult[],
  deps: LaneDeps,
): Promise<void> {
  const now = deps.clock()
  await deps.store.tx(async (store) => {
    if (!(await store.lanes.recordTurn(turn.resourceId, turn.owner, {}, now))) {
      turn.isLost = true
      throw new LaneLost(turn.resourceId)
    }
    await writeDeliveries(store, attempted, rows, now)
  })
}
