import type { ChainBlock } from '../../engine/sources/block.ts'
import type { ChainItems } from '../../engine/sources/raw-items.ts'
import type { Match } from '../jobs/job.ts'
import type { Live, SourceIndex } from '../listeners/index.ts'

/** All that one trigger is concerned by in one block, in the order of the chain. */
export type TriggerMatches = { trigger: Live; matches: Match[] }

/** Which items of a block concern whom. Happens at once: nobody's listeners change in between. */
export function matchBlock(block: ChainBlock, items: ChainItems, index: SourceIndex | undefined): TriggerMatches[] {
  if (!index) return []
  const byTrigger = new Map<Live, TriggerMatches>()
  for (const raw of items.list(block, index.specs())) {
    const concerned = index.concerned(raw, ({ feed }) =>
      feed.kind === 'source' ? feed.items.itemOf(block, raw) : undefined,
    )
    for (const { trigger, item, listeners } of concerned) {
      const known = byTrigger.get(trigger) ?? { trigger, matches: [] }
      byTrigger.set(trigger, known)
      known.matches.push({ key: raw.key, item, listeners: [...listeners] })
    }
  }
  return [...byTrigger.values()]
}
