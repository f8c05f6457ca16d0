import type { Target } from '../../engine/destinations/index.ts'
import type { LaneTurn } from './lane-deps.ts'
import type { LaneDeps } from './lane-store.ts'
import { noteAttempts } from './note-attempts.ts'
import { type Attempted, deliveryAfter } from './schedule.ts'

const batchMax = 200

/** Fails all deliveries of a resource that cannot receive, due or not. They are listed as failed and can be replayed. */
export async function giveUp(
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
