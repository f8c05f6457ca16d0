import { setTimeout as sleep } from 'node:timers/promises'
import type { FollowedChain, SeenHead } from '../../engine/follow-core/index.ts'
import type { BlockPart, ChainBlock, WantedParts } from '../../engine/sources/block.ts'
import type { ChainPace } from '../../engine/sources/chain.ts'
import type { LiveConnection } from '../../engine/sources/connection.ts'

/** The chain changed between two looks at one block: worth another look, and nobody's fault. */
export class ChainMoved extends Error {}

const nothing: WantedParts = { parts: [] }
/** A part that cannot be read is tried again after these pauses before the block goes on without it. */
const retriesMs = [250, 500, 1000, 2000]

/** A source's chain for its follower: blocks with the parts that somebody listens to at the moment. */
export class SourceChain implements FollowedChain {
  readonly skipsNumbers: boolean
  readonly #connection: LiveConnection
  readonly #wanted: () => WantedParts
  readonly #fetched = new WeakMap<ChainBlock, WantedParts>()
  /** Parts that could not be read when they were last wanted: the next blocks do not wait for them. */
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

  head(): Promise<SeenHead> {
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

  /** With all that is wanted now: somebody may have come to listen to another part since it was fetched. */
  async complete(block: ChainBlock): Promise<ChainBlock> {
    if (covers(this.#fetched.get(block) ?? nothing, this.#wanted())) return block
    const again = await this.block(block.number)
    if (again?.hash === block.hash) return again
    throw new ChainMoved(`block ${block.number} was replaced while it was fetched`)
  }

  /** What was fetched with the block, and can be read or not. */
  partsOf(block: ChainBlock): readonly BlockPart[] {
    return this.#fetched.get(block)?.parts ?? []
  }

  async #read(number: number, { parts, addresses }: WantedParts): Promise<ChainBlock | undefined> {
    const read = () => this.#connection.block(number, parts, { addresses, mayLack: true })
    let block = await read()
    for (const ms of retriesMs) {
      if (!block?.unreadable?.some(({ part }) => !this.#unreadable.has(part))) break
      await sleep(ms)
      block = await read()
    }
    for (const part of block ? parts : []) {
      const isLacking = block?.unreadable?.some((each) => each.part === part)
      if (isLacking) this.#unreadable.add(part)
      else if (!block?.empty?.includes(part)) this.#unreadable.delete(part)
    }
    return block
  }
}

/** Logs of all contracts cover those of some. */
function covers(fetched: WantedParts, wanted: WantedParts): boolean {
  if (!wanted.parts.every((part) => fetched.parts.includes(part))) return false
  if (!wanted.parts.includes('logs') || fetched.addresses === undefined) return true
  return wanted.addresses?.every((address) => fetched.addresses?.includes(address)) ?? false
}
