import { findUnlinked } from '../../engine/follow-core/index.ts'
import type { ChainBlock } from '../../engine/sources/block.ts'
import type { FactoryProgress, NewMember } from '../../store/following/factories.ts'
import type { Store } from '../../store/index.ts'
import type { FactoryTrigger, SourceIndex } from '../listeners/index.ts'
import type { FollowContext } from './follow-context.ts'
import { ChainMoved } from './source-chain.ts'

type Context = Pick<FollowContext, 'deps' | 'source' | 'connection' | 'report'>
/** How far a factory's blocks were read: all from `fromBlock` to `learnedTo`. */
type Tracked = FactoryTrigger & {
  fromBlock: number
  learnedTo: number
  savedTo: number
  /** The last earlier block that was read, which the next one must follow. */
  read?: ChainBlock | undefined
}

/** The block that the earlier ones are read for. A history does not know its parent yet. */
type NextBlock = Pick<ChainBlock, 'number'> & Partial<Pick<ChainBlock, 'parentHash'>>

/** Earlier blocks that are read before one new block. So a long history delays the other triggers of the source only a little. */
export const earlierMax = 128
const readsAtOnce = 16
/** Progress is written with members, or after this many blocks. After a crash at most so many blocks are read again. */
const unsavedMax = 64

/**
 * Learns the contracts that factories create, for the triggers of one source. The members of a block are known before the
 * block is matched, and are stored in the commit of the block. Blocks that passed while the trigger was not in the index
 * (it had no subscription, or another process followed) are read before the next block; a long gap is read in steps.
 */
export class FactoryMembers {
  readonly #context: Context
  readonly #tracked = new Map<FactoryTrigger['members'], Tracked>()
  #hasReportedGap = false

  constructor(context: Context) {
    this.#context = context
  }

  /** Loads the factories that are new in the index and reads blocks that they missed. Returns the members in those blocks. */
  async prepare(index: SourceIndex | undefined, next: ChainBlock): Promise<NewMember[]> {
    const factories = index?.factories ?? []
    const current = new Set(factories.map(({ members }) => members))
    for (const members of this.#tracked.keys()) if (!current.has(members)) this.#tracked.delete(members)
    const found: NewMember[] = []
    let hasReadLongGap = false
    for (const factory of factories) {
      const tracked = this.#tracked.get(factory.members) ?? (await this.#load(factory, next.number))
      const missing = next.number - 1 - tracked.learnedTo
      if (missing <= 0 || (missing > earlierMax && hasReadLongGap)) continue
      hasReadLongGap ||= missing > earlierMax
      found.push(...(await this.#learnEarlier(tracked, next)))
    }
    return found
  }

  /**
   * For a history, which must know all members of earlier blocks: reads some of the blocks before `next` that a factory
   * missed. False if none is left.
   */
  async readMissing(index: SourceIndex, next: number): Promise<boolean> {
    for (const factory of index.factories) {
      const tracked = this.#tracked.get(factory.members) ?? (await this.#load(factory, next))
      if (tracked.learnedTo >= next - 1) continue
      await this.#readEarlier(tracked, { number: next })
      return true
    }
    return false
  }

  /** False if a factory was added since the last `prepare`. */
  isReady(index: SourceIndex | undefined): boolean {
    return (index?.factories ?? []).every(({ members }) => this.#tracked.has(members))
  }

  /** Adds the members that the block creates. It does not await, so the block can be matched with them at once. */
  learn(block: ChainBlock): NewMember[] {
    const found: NewMember[] = []
    for (const tracked of this.#tracked.values()) {
      if (block.number < tracked.fromBlock) continue
      const members = add(tracked, block)
      if (members && tracked.learnedTo === block.number - 1) tracked.learnedTo = block.number
      found.push(...(members ?? []))
    }
    return found
  }

  /** True if the progress must be written although no block has a new member. */
  get mustWrite(): boolean {
    return [...this.#tracked.values()].some(({ learnedTo, savedTo }) => learnedTo - savedTo >= unsavedMax)
  }

  /** Writes new members and the progress up to the last block of the commit. Returns what to do after the commit. */
  async write(store: Store, members: readonly NewMember[], last: number): Promise<() => void> {
    if (members.length === 0 && !this.mustWrite) return () => undefined
    const progress = [...this.#tracked.values()].map(({ triggerId, factory, fromBlock, learnedTo }) => ({
      ...{ triggerId, factory: factory.key, fromBlock },
      learnedTo: Math.min(learnedTo, last),
    }))
    await store.factories.save(this.#context.source.fullname, progress, members)
    return () => {
      for (const tracked of this.#tracked.values()) tracked.savedTo = Math.min(tracked.learnedTo, last)
    }
  }

  /** After an undo or an error the members are read from the store again. */
  reset(): void {
    this.#tracked.clear()
  }

  /** A history knows only the members of the blocks that it has read: those that the follower knows beyond may be undone. */
  async #load(trigger: FactoryTrigger, next: number): Promise<Tracked> {
    const { deps, source } = this.#context
    const name = { triggerId: trigger.triggerId, source: source.fullname, factory: trigger.factory.key }
    const stored = await deps.store.factories.find(name)
    const { fromBlock, learnedTo } = startOf(stored, trigger, next)
    const members = await deps.store.factories.listMembers(name, next)
    trigger.members.clear()
    for (const member of members) trigger.members.add(member)
    const tracked = { ...trigger, fromBlock, learnedTo, savedTo: stored?.learnedTo ?? Number.NEGATIVE_INFINITY }
    this.#tracked.set(trigger.members, tracked)
    return tracked
  }

  /** A node that cannot read old blocks must not stop the source; the next blocks before this one it must have. */
  async #learnEarlier(tracked: Tracked, next: ChainBlock): Promise<NewMember[]> {
    try {
      return await this.#readEarlier(tracked, next)
    } catch (error) {
      if (error instanceof ChainMoved || tracked.learnedTo >= next.number - earlierMax) throw error
      if (!this.#hasReportedGap) await this.#reportGap(tracked, error)
      return []
    }
  }

  /** Endpoints may be on different branches, so each block must follow the one before, up to the next block itself. */
  async #readEarlier(tracked: Tracked, next: NextBlock): Promise<NewMember[]> {
    const read: ChainBlock[] = []
    const last = Math.min(tracked.learnedTo + earlierMax, next.number - 1)
    for (let first = tracked.learnedTo + 1; first <= last; first += readsAtOnce) {
      const numbers = Array.from({ length: Math.min(readsAtOnce, last - first + 1) }, (_, at) => first + at)
      read.push(...(await Promise.all(numbers.map((number) => this.#read(tracked, number)))))
    }
    const before = tracked.read?.number === tracked.learnedTo ? [tracked.read] : []
    requireLinked([...before, ...read])
    const isParent = last === next.number - 1 && next.parentHash !== undefined
    if (isParent && next.parentHash !== read.at(-1)?.hash)
      throw new ChainMoved(`block ${last} was replaced while it was read`)
    Object.assign(tracked, { learnedTo: last, read: read.at(-1) })
    return read.flatMap((block) => add(tracked, block) ?? [])
  }

  async #read({ factory }: Tracked, number: number): Promise<ChainBlock> {
    const block = await this.#context.connection.block(number, ['logs'], { addresses: [factory.contract] })
    if (block) return block
    throw new ChainMoved(`block ${number} is not there`)
  }

  async #reportGap({ factory, learnedTo }: Tracked, error: unknown): Promise<void> {
    this.#hasReportedGap = true
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The contracts of the factory ${factory.contract} that were created from block ${learnedTo + 1} on are not all known: ${reason}`
    await this.#context.report.log({
      level: 'warn',
      message,
      details: { factory: factory.contract, block: learnedTo + 1 },
    })
  }
}

/** A factory that no save knew a block for begins at the next block. */
function startOf(stored: FactoryProgress | undefined, { factory }: FactoryTrigger, next: number) {
  const fromBlock = stored?.fromBlock ?? factory.fromBlock ?? next
  return { fromBlock, learnedTo: Math.max(fromBlock - 1, Math.min(stored?.learnedTo ?? fromBlock - 1, next - 1)) }
}

function requireLinked(blocks: readonly ChainBlock[]): void {
  const unlinked = findUnlinked(blocks)
  if (unlinked) throw new ChainMoved(`block ${unlinked.number - 1} was replaced while it was read`)
}

/** Undefined if the block was read without its logs. */
function add({ triggerId, factory, members }: Tracked, block: ChainBlock): NewMember[] | undefined {
  return factory.membersIn(block)?.map((address) => {
    members.add(address)
    return { triggerId, factory: factory.key, address, number: block.number, hash: block.hash }
  })
}
