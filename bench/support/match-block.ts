import type { Condition } from '@tocsin/contract'
import type { SourceItem } from '../../server/src/engine/base/source-item.ts'
import { compileEarlyFilter, readRequirements } from '../../server/src/engine/conditions/index.ts'
import { type IndexEntry, makeTriggerIndex, type TriggerIndex } from '../../server/src/engine/match/index.ts'
import type { ChainBlock } from '../../server/src/engine/sources/block.ts'
import { requireLogs } from '../../server/src/engine/sources/evm/contents.ts'
import { type LogDecoder, logMatcher } from '../../server/src/engine/sources/evm/index.ts'
import { evmIndexing } from '../../server/src/engine/sources/evm/indexing.ts'
import type { RawLog } from '../../server/src/engine/sources/evm/match-keys.ts'

/** An event as the author of a trigger enters it: a line of its ABI, and the length of its data in bytes. */
export type KnownEvent = { abiFragment: string; dataBytes: number }
export type Wanted = { event: KnownEvent; contract?: string; conditions: Condition }
type Entry = IndexEntry & { decoder: LogDecoder; conditions: Condition; meets?: (item: unknown) => boolean }

const people = 'address indexed from, address indexed to'
export const transferEvent = known(1, `event Transfer(${people}, uint256 value)`)
export const otherEvents: KnownEvent[] = [
  known(1, `event Approval(${people}, uint256 value)`),
  known(
    4,
    'event Swap(address indexed from, uint256 value, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  ),
  known(5, `event Swap(${people}, int256 value, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)`),
]

function known(words: number, abiFragment: string): KnownEvent {
  return { abiFragment, dataBytes: 32 * words }
}

const filtersSchema = {
  from: { type: 'address', sourcePath: 'params.from' },
  to: { type: 'address', sourcePath: 'params.to' },
  value: { type: 'balance', decimals: 0, sourcePath: 'params.value' },
}

export type Index = TriggerIndex<Entry>

/** Prepares each trigger from its own spec, as the service does; subscriptions of one trigger share its matcher. */
export async function makeIndex(count: number, want: (at: number) => Wanted): Promise<Index> {
  const index = makeTriggerIndex<Entry>(evmIndexing)
  for (let at = 0; at < count; at++) {
    const { event, contract, conditions } = want(at)
    const { abiFragment, dataBytes } = event
    const { keys: all, decoder } = await logMatcher({
      type: 'evm_log',
      dataSource: 'x',
      contract,
      abiFragment,
      topicsCount: 3,
      dataBytes,
    })
    const requirements = readRequirements(conditions, { filtersSchema })
    for (const [key, keys] of all.entries())
      index.add({ id: `${at}/${key}`, keys, decoder, conditions, ...requirements })
  }
  return index
}

/** Does what the follow loop does with a block: looks raw items up, decodes the hits, verifies those that the index did not prove, and counts the matches. */
export function matchBlock(block: ChainBlock, index: Index): number {
  const { timestamp, logs } = requireLogs(block)
  let concerned = 0
  for (const log of logs) {
    const { address, topics, data } = log
    const raw: RawLog = { type: 'evm_log', address, topics, data }
    for (const { decoder, proven, candidates } of index.matches(raw)) {
      const item = decoder.itemOf(block, timestamp, log)
      if (!item) continue
      concerned += proven.length
      for (const entry of candidates) if (isConcerned(entry, item)) concerned++
    }
  }
  return concerned
}

function isConcerned(entry: Entry, item: SourceItem): boolean {
  entry.meets ??= compileEarlyFilter(entry.conditions, { filtersSchema })
  return entry.meets(item)
}
