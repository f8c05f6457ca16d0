import { isObject } from './json.ts'

/** A decoded item of a source: `source.*` in scripts and placeholders. Big integers are decimal strings. */
export type SourceItem = Record<string, unknown>

/** Reads the block of an item: its field `block`, the separate fields of an EVM log, or the item itself if it is a block. */
export function itemBlock(item: SourceItem): Record<string, unknown> | undefined {
  if (isObject(item.block)) return item.block
  if (item.blockNumber !== undefined)
    return { number: item.blockNumber, hash: item.blockHash, timestamp: item.blockTimestamp }
  if (!isBlockItem(item)) return undefined
  return { number: item.number, hash: item.hash, timestamp: item.timestamp }
}

/** Of all items only blocks have the hash of a parent. */
export function isBlockItem({ number, parentHash }: SourceItem): boolean {
  return number !== undefined && parentHash !== undefined
}
