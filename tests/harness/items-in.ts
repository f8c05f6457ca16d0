import type { TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../../server/src/engine/base/source-item.ts'
import type { ChainBlock } from '../../server/src/engine/sources/block.ts'
import type { Chain } from '../../server/src/engine/sources/chain.ts'
import { prepareOneTrigger } from '../../server/src/engine/sources/one-trigger.ts'

/** The items of a block that a spec matches, as the service finds them. */
export async function itemsIn(chain: Chain, spec: TriggerSpec, block: ChainBlock): Promise<SourceItem[]> {
  return (await prepareOneTrigger(chain, spec)).match(block)
}
