import type { SourceItem } from '../base/source-item.ts'
import type { BlockRef } from './block.ts'

/** When an item happened, and at which block, as far as the item itself says: samples are written by hand too. */

export function momentOf(item: SourceItem): number | undefined {
  return (
    millisecondsOf(item.timestampMs) ?? millisecondsOf(item.blockTimestamp) ?? millisecondsOf(blockOf(item)?.timestamp)
  )
}

/** EVM and Solana tell seconds, Substrate milliseconds; a moment before 1973 in milliseconds is not meant. */
function millisecondsOf(time: unknown): number | undefined {
  if (typeof time === 'string') return Number.isNaN(Date.parse(time)) ? undefined : Date.parse(time)
  if (typeof time !== 'number' || !Number.isFinite(time)) return undefined
  return time < 100_000_000_000 ? time * 1000 : time
}

export function blockRefOf(item: SourceItem): BlockRef | undefined {
  const block = blockOf(item)
  const number = block?.number ?? block?.slot ?? item.blockNumber
  const hash = block?.hash ?? item.blockHash
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined
  return { number, hash: typeof hash === 'string' ? hash : '' }
}

function blockOf({ block }: SourceItem): Record<string, unknown> | undefined {
  return typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : undefined
}
