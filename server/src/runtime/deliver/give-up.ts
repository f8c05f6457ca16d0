import type { Target } from '../../engine/destinations/index.ts'
import type { SettledDelivery } from '../../store/alerts/deliveries.ts'
import type { Parts, Turn } from './parts.ts'
import { settled, type Tried } from './schedule.ts'
import { LaneLost, writeDown } from './settle.ts'
import { take } from './take.ts'

const stepMax = 200

/** Whatever waits for a resource that takes nothing, due or not, is given up: it is listed as failed and can be replayed. */
export async function giveUp(
  turn: Turn,
  target: Target,
  blueprint: string,
  reason: string,
  parts: Parts,
): Promise<void> {
  const { clock } = parts
  while (!parts.mood.isStopping && !turn.isLost) {
    const now = clock()
    const found = await take({ ...turn, now, ordered: true, limit: stepMax, open: [] }, parts)
    if (found.length === 0) return
    const outcome = { kind: 'never', reason } as const
    const tried = found.map((delivery): Tried => ({ delivery, outcome, at: now, durationMs: 0 }))
    await commit(
      turn,
      tried,
      tried.map((each) => settled(each, parts.chance)),
      parts,
    )
    parts.tally.add(tried, target, blueprint)
  }
}

async function commit(turn: Turn, tried: readonly Tried[], rows: readonly SettledDelivery[], parts: Parts) {
  const now = parts.clock()
  await parts.store.tx(async (store) => {
    if (!(await store.lanes.keep(turn.resourceId, turn.owner, {}, now))) {
      turn.isLost = true
      throw new LaneLost(turn.resourceId)
    }
    await writeDown(store, tried, rows, now)
  })
}
