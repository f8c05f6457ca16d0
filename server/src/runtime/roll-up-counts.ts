import { every } from '../engine/base/every.ts'
import type { Running, RuntimeDeps } from './deps.ts'

const rollUpMs = 2_000
/** After a look that found nothing, this many are left out. */
const skippedMax = 2

/** Adds the counts of recorded alerts and attempts to the counts per hour, which people read. */
export async function startRollUp({ store, log }: Pick<RuntimeDeps, 'store' | 'log'>): Promise<Running> {
  let skipsLeft = 0
  const rollUp = async () => {
    if (skipsLeft > 0) {
      skipsLeft -= 1
      return
    }
    let added = await store.hourlyCounts.rollUp()
    skipsLeft = added.count === 0 ? skippedMax : 0
    while (added.mayBeMore) added = await store.hourlyCounts.rollUp()
  }
  return every(rollUpMs, rollUp, { log }, 'adding up the counts per hour')
}
