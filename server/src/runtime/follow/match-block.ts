import type { ChainBlock } from '../../engine/sources/block.ts'
import type { ChainItems } from '../../engine/sources/raw-items.ts'
import type { Match } from '../jobs/job.ts'
import type { RegisteredTrigger, SourceIndex } from '../listeners/index.ts'

/** The matches of one trigger in one block, in the order of the chain. */
export type TriggerMatches = { trigger: RegisteredTrigger; matches: Match[] }

/** Matches the items of a block with the listeners. It does not await, so the listeners cannot change meanwhile. */
export function matchBlock(block: ChainBlock, items: ChainItems, index: SourceIndex | undefined): TriggerMatches[] {
  if (!index) return []
  const byTrigger = new Map<RegisteredTrigger, TriggerMatches>()
  for (const rawItem of items.list(block, index.specs())) {
    const triggerMatches = index.match(rawItem, ({ feed }) =>
      feed.kind === 'source' ? feed.items.itemOf(block, rawItem) : undefined,
    )
    for (const { trigger, item, listeners } of triggerMatches) {
      const ofTrigger = byTrigger.get(trigger) ?? { trigger, matches: [] }
      byTrigger.set(trigger, ofTrigger)
      ofTrigger.matches.push({ key: rawItem.key, item, listeners: [...listeners] })
    }
  }
  return [...byTrigger.values()]
}
