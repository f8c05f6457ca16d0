import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainHead, FollowedChain } from '../../engine/follow-core/chain.ts'
import type { BlockPart, ChainBlock, WantedParts } from '../../engine/sources/block.ts'
import type { ChainPace } from '../../engine/sources/chain.ts'
import type { LiveConnection } from '../../engine/sources/connection.ts'

/** The chain replaced a block between two reads of it. The loop reads again; this is no failure of the node. */
export class ChainMoved extends Error {}

const nothing: WantedParts = { parts: [] }
/** The pauses between attempts to read a part, before the block is processed without it. */
const retryDelaysMs = [250, 500, 1000, 2000]

/** A source's chain as its follower reads it: blocks with the parts that listeners need now. */
export class SourceChain implements FollowedChain {
  readonly skipsNumbers: boolean
  readonly #connection: LiveConnection
  readonly #wanted: () => WantedParts
  readonly #fetched = new WeakMap<ChainBlock, WantedParts>()
  /** Parts whose last read failed. The next blocks do not retry them, so that each block is not delayed. */
  readonly #unreadable = new Set<BlockPart>()

  constructor(
    connection: LiveConnection,
    { skipsNumbers }: Pick<ChainPace, 'skipsNumbers'>,
    wanted: () => WantedParts | undefined,
  ) {
    this.#connection = connection
    this.skipsNumbers = skipsNumbers
    this.#wanted = () => wanted() ?? nothing
  }

  head(): Promise<ChainHead> {
    return this.#connection.head()
  }

  async block(number: number): Promise<ChainBlock | undefined> {
    const wanted = this.#wanted()
    const block = await this.#read(number, wanted)
    if (block) this.#fetched.set(block, wanted)
    return block
  }

  link(number: number): Promise<ChainBlock | undefined> {
    return this.#connection.block(number, [])
  }

  /** Returns the block with all parts that listeners need now; a new listener may need a part that was not fetched. */
  async complete(block: ChainBlock): Promise<ChainBlock> {
    if (covers(this.#fetched.get(block) ?? nothing, this.#wanted())) return block
    const again = await this.block(block.number)
    if (again?.hash === block.hash) return again
    throw new ChainMoved(`block ${block.number} was replaced while it was read`)
  }

  /** The parts that were requested with the block, readable or not. */
  partsOf(block: ChainBlock): readonly BlockPart[] {
    return this.#fetched.get(block)?.parts ?? []
  }

  async #read(number: number, { parts, addresses }: WantedParts): Promise<ChainBlock | undefined> {
    const read = () => this.#connection.block(number, parts, { addresses, mayLack: true })
    let block = await read()
    for (const ms of retryDelaysMs) {
      if (!block?.unreadable?.some(({ part }) => !this.#unreadable.has(part))) break
      await sleep(ms)
      block = await read()
    }
    for (const part of block ? parts : []) {
      const isUnreadable = block?.unreadable?.some((each) => each.part === part)
      if (isUnreadable) this.#unreadable.add(part)
      else if (!block?.empty?.includes(part)) this.#unreadable.delete(part)
    }
    return block
  }
}

/** True if the fetched parts include the wanted ones. Logs without a list of addresses are the logs of all contracts. */
function covers(fetched: WantedParts, wanted: WantedParts): boolean {
  if (!wanted.parts.every((part) => fetched.parts.includes(part))) return false
  if (!wanted.parts.includes('logs') || fetched.addresses === undefined) return true
  return wanted.addresses?.every((address) => fetched.addresses?.includes(address)) ?? false
}
