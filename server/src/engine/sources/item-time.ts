import { itemBlock, type SourceItem } from '../base/source-item.ts'
import type { BlockRef } from './block.ts'

/** The time and block of an item, as far as the item contains them. Samples may be written by hand. */

export function itemTimeMs(item: SourceItem): number | undefined {
  return (
    millisecondsOf(item.timestampMs) ??
    millisecondsOf(item.blockTimestamp) ??
    millisecondsOf(itemBlock(item)?.timestamp) ??
    millisecondsOf(item.now)
  )
}

/** EVM and Solana use seconds, Substrate milliseconds. A smaller number is in seconds: as milliseconds it would be before 1973. */
function millisecondsOf(time: unknown): number | undefined {
  if (typeof time === 'string') return Number.isNaN(Date.parse(time)) ? undefined : Date.parse(time)
  if (typeof time !== 'number' || !Number.isFinite(time)) return undefined
  return time < 100_000_000_000 ? time * 1000 : time
}

export function blockRefOf(item: SourceItem): BlockRef | undefined {
  const block = itemBlock(item)
  const number = block?.number ?? block?.slot ?? item.blockNumber
  const hash = block?.hash ?? item.blockHash
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined
  return { number, hash: typeof hash === 'string' ? hash : '' }
}
