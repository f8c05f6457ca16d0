/** Items that are whole blocks: one per block, in the same way on every chain that has them. */
import type { SourceItem } from '../base/source-item.ts'
import { type ChainIndexing, type Indexing, itemIndex, makeItemKey } from '../match/index.ts'
import type { BlockPart, ChainBlock } from './block.ts'
import type { RawEntry, SpecItems } from './raw-items.ts'

/** `type` is the type of the spec. `every` selects the blocks whose number is divisible by it. */
export type BlockKeys = { type: string; every: number }
/** A block's own fields are read with every block, so the item is already made. */
export type RawBlock = { readonly type: string; readonly number: number; readonly item: SourceItem }

/** The shape of an entry is its `every`. */
const blocks: Indexing<BlockKeys, RawBlock> = {
  keyPartsOf: ({ every }) => ({ shape: every }),
  firstOf: () => undefined,
  secondOf: () => undefined,
  hasShape: ({ number }, every) => number % every === 0,
  shapesOf: ({ number }) => divisorsOf(number, everyMax),
  toFieldKey: (requirement, _, fields) => makeItemKey(fields, requirement, '', ({ item }) => item),
}

export const blockIndex = itemIndex(blocks)

const everyMax = 100_000

/** The divisors up to `max`, found in pairs. Zero is divisible by every number. */
function divisorsOf(number: number, max: number): number[] {
  if (number === 0) return Array.from({ length: max }, (_, index) => index + 1)
  const divisors: number[] = []
  for (let low = 1; low <= max && low * low <= number; low++) {
    if (number % low !== 0) continue
    divisors.push(low)
    const high = number / low
    if (high !== low && high <= max) divisors.push(high)
  }
  return divisors
}

/** How a chain makes items of its blocks. */
export type BlockKind = {
  type: string
  neededParts: readonly BlockPart[]
  itemOf(block: ChainBlock): SourceItem
}

export class BlockEntry implements RawBlock {
  readonly type: string
  readonly number: number
  readonly key: string
  readonly #kind: BlockKind
  readonly #block: ChainBlock
  #item: SourceItem | undefined

  constructor(kind: BlockKind, block: ChainBlock) {
    this.type = kind.type
    this.number = block.number
    this.key = block.hash
    this.#kind = kind
    this.#block = block
  }

  get item(): SourceItem {
    this.#item ??= this.#kind.itemOf(this.#block)
    return this.#item
  }
}

/** All specs on the blocks of a chain make the same item, so they share `kind` as their decoder. */
export function blockItems(kind: BlockKind, indexing: ChainIndexing, every = 1): SpecItems {
  const keys: BlockKeys = { type: kind.type, every }
  return {
    keys: [keys],
    decoder: kind,
    indexing,
    neededParts: kind.neededParts,
    itemOf: (_, raw: RawEntry) => (raw instanceof BlockEntry ? raw.item : undefined),
  }
}
