import type { FollowedChain, SeenHead } from '../follow/index.ts'
import type { BlockPart, ChainBlock, ChainPace, LiveConnection } from '../world.ts'

/** The chain changed between two looks at one block: worth another look, and nobody's fault. */
export class ChainMoved extends Error {}

/** A source's chain for its follower: blocks with the parts that somebody listens to at the moment. */
export class SourceChain implements FollowedChain {
  readonly skipsNumbers: boolean
  readonly #connection: LiveConnection
  readonly #wanted: () => readonly BlockPart[]
  readonly #parts = new WeakMap<ChainBlock, readonly BlockPart[]>()

  constructor(connection: LiveConnection, { skipsNumbers }: ChainPace, wanted: () => readonly BlockPart[]) {
    this.#connection = connection
    this.skipsNumbers = skipsNumbers
    this.#wanted = wanted
  }

  head(): Promise<SeenHead> {
    return this.#connection.head()
  }

  async block(number: number): Promise<ChainBlock | undefined> {
    const parts = this.#wanted()
    const block = await this.#connection.block(number, parts)
    if (block) this.#parts.set(block, parts)
    return block
  }

  link(number: number): Promise<ChainBlock | undefined> {
    return this.#connection.block(number, [])
  }

  /** With all that is wanted now: somebody may have come to listen to another part since it was fetched. */
  async complete(block: ChainBlock): Promise<ChainBlock> {
    const fetched = this.#parts.get(block) ?? []
    if (this.#wanted().every((part) => fetched.includes(part))) return block
    const again = await this.block(block.number)
    if (again?.hash === block.hash) return again
    throw new ChainMoved(`block ${block.number} was replaced while it was fetched`)
  }
}
