/**
 * Which items of a block match a spec, found without an index: every raw item is compared with the spec, one after the
 * other. Tests compare the trigger index with it, so it shares only the decoders with the service.
 */
import type { TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../../../server/src/engine/base/source-item.ts'
import type { ChainBlock } from '../../../server/src/engine/sources/block.ts'
import type { BlockKind } from '../../../server/src/engine/sources/block-items.ts'
import { evmBlocks } from '../../../server/src/engine/sources/evm/block-kind.ts'
import { substrateBlocks } from '../../../server/src/engine/sources/substrate/block-kind.ts'
import { linearCalls, linearLogs, linearTransactions } from './evm.ts'
import { linearEvents, linearInstructions } from './solana.ts'
import { linearSubstrateCalls, linearSubstrateEvents } from './substrate.ts'

/** The matching items of a block, in the order of the chain. */
export type LinearMatch = (block: ChainBlock) => SourceItem[]

export async function linearMatch(spec: TriggerSpec): Promise<LinearMatch> {
  switch (spec.type) {
    case 'evm_log':
      return linearLogs(spec)
    case 'evm_transaction':
      return linearTransactions
    case 'evm_call':
      return linearCalls(spec)
    case 'evm_block':
      return linearBlocks(evmBlocks, spec.every)
    case 'substrate_event':
      return linearSubstrateEvents(spec)
    case 'substrate_call':
      return linearSubstrateCalls(spec)
    case 'substrate_block':
      return linearBlocks(substrateBlocks, spec.every)
    case 'solana_event':
      return linearEvents(spec)
    case 'solana_instruction':
      return linearInstructions(spec)
    case 'timer':
      throw new Error('a timer has no blocks')
  }
}

function linearBlocks({ itemOf }: BlockKind, every = 1): LinearMatch {
  return (block) => (block.number % every === 0 ? [itemOf(block)] : [])
}
