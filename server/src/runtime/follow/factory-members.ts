import { findUnlinked } from '../../engine/follow-core/chain.ts'
import type { ChainBlock } from '../../engine/sources/block.ts'
import type { NewMember, StoredFactory } from '../../store/following/factories.ts'
import type { Store } from '../../store/index.ts'
import type { FactoryTrigger, SourceIndex } from '../listeners/source-index.ts'
import type { FollowContext } from './follow-context.ts'
import { ChainMoved } from './source-chain.ts'

type Context = Pick<FollowContext, 'deps' | 'source' | 'connection' | 'learnFactories'>
/** How far a factory's blocks were read: all from `fromBlock` to `learnedTo`. */
type Tracked = FactoryTrigger & {
  fromBlock: number
  learnedTo: number
  savedTo: number
  /** False while `FactoryLearning` reads earlier blocks by ranges. */
  isLearned: boolean
  /** The last earlier block that was read, which the next one must follow. */
  read?: ChainBlock | undefined
}

/** The block that the earlier ones are read for. A history does not know its parent yet. */
type NextBlock = Pick<ChainBlock, 'number'> & Partial<Pick<ChainBlock, 'parentHash'>>

/** A longer gap is read by ranges, beside the follow loop. */
export const earlierMax = 128
const readsAtOnce = 16
/** Progress is written with members, or after this many blocks. After a crash at most so many blocks are read again. */
const unsavedMax = 64

/**
 * Knows the contracts that factories create, for the triggers of one source. The members of a block are known before the
 * block is matched, and are stored in the commit of the block. The blocks before the first one are read by
 * `FactoryLearning`; until it is done, only members of new blocks are added. A short gap, of blocks that passed while the
 * trigger was not in the index, is read before the next block.
 */
export class FactoryMembers {
  readonly #context: Context
  readonly #tracked = new Map<FactoryTrigger['members'], Tracked>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Loads the factories that are new in the index and reads blocks that they missed. Returns the members in those blocks. */
  async prepare(index: SourceIndex | undefined, next: ChainBlock): Promise<NewMember[]> {
    const factories = index?.factories ?? []
    const current = new Set(factories.map(({ members }) => members))
    for (const members of this.#tracked.keys()) if (!current.has(members)) this.#tracked.delete(members)
    const found: NewMember[] = []
    for (const factory of factories) {
      const tracked = await this.#findLearned(factory, next.number)
      if (tracked && tracked.learnedTo < next.number - 1) found.push(...(await this.#readEarlier(tracked, next)))
    }
    return found
  }

  /**
   * For a history, which must know all members of earlier blocks: reads some of the blocks before `next` that a factory
   * missed. `level` if none is left, `waiting` if they are read by ranges.
   */
  async readMissing(index: SourceIndex, next: number): Promise<'level' | 'read' | 'waiting'> {
    for (const factory of index.factories) {
      const tracked = await this.#findLearned(factory, next)
      if (!tracked) return 'waiting'
      if (tracked.learnedTo >= next - 1) continue
      await this.#readEarlier(tracked, { number: next })
      return 'read'
    }
    return 'level'
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
    return this.#learned().some(({ learnedTo, savedTo }) => learnedTo - savedTo >= unsavedMax)
  }

  /** Writes new members and the progress up to the last block of the commit. Returns what to do after the commit. */
  async write(store: Store, members: readonly NewMember[], last: number): Promise<() => void> {
    if (members.length === 0 && !this.mustWrite) return () => undefined
    const learned = this.#learned()
    const progress = learned.map(({ triggerId, factory, learnedTo }) => ({
      ...{ triggerId, factory: factory.key },
      learnedTo: Math.min(learnedTo, last),
    }))
    const { fullname } = this.#context.source
    await store.factories.addMembers(fullname, members)
    await store.factories.save(fullname, progress)
    return () => {
      for (const tracked of learned) tracked.savedTo = Math.min(tracked.learnedTo, last)
    }
  }

  /** After an undo or an error the members are read from the store again. */
  reset(): void {
    this.#tracked.clear()
  }

  #learned(): Tracked[] {
    return [...this.#tracked.values()].filter(({ isLearned }) => isLearned)
  }

  /** The factory, once its blocks are known up to a short gap before `next`. Until then it is loaded again for each block. */
  async #findLearned(factory: FactoryTrigger, next: number): Promise<Tracked | undefined> {
    const known = this.#tracked.get(factory.members)
    const tracked = known?.isLearned ? known : await this.#load(factory, next)
    const isFarBehind = tracked.isLearned && tracked.learnedTo < next - 1 - earlierMax
    if (isFarBehind) await this.#markBehind(tracked)
    if (!tracked.isLearned) this.#context.learnFactories()
    return tracked.isLearned ? tracked : undefined
  }

  async #markBehind(tracked: Tracked): Promise<void> {
    const { deps, source } = this.#context
    tracked.isLearned = false
    const { triggerId, factory } = tracked
    await deps.store.factories.markBehind({ triggerId, source: source.fullname, factory: factory.key })
  }

  /** A history knows only the members of the blocks that it has read: those that the follower knows beyond may be undone. */
  async #load(trigger: FactoryTrigger, next: number): Promise<Tracked> {
    const { deps, source } = this.#context
    const name = { triggerId: trigger.triggerId, source: source.fullname, factory: trigger.factory.key }
    const stored = await deps.store.factories.find(name)
    const members = await deps.store.factories.listMembers(name, next)
    // After an undo the set may hold contracts of undone blocks. While it is learned, it only grows.
    if (!this.#tracked.has(trigger.members)) trigger.members.clear()
    for (const member of members) trigger.members.add(member)
    const tracked = { ...trigger, ...startOf(stored, next) }
    this.#tracked.set(trigger.members, tracked)
    return tracked
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
}

/** A trigger without a stored factory was just deleted or saved with another one. */
function startOf(stored: StoredFactory | undefined, next: number) {
  const { fromBlock, learnedTo, isLearned = false } = stored ?? {}
  const first = fromBlock ?? 0
  return {
    fromBlock: first,
    learnedTo: Math.max(first - 1, Math.min(learnedTo ?? first - 1, next - 1)),
    savedTo: learnedTo ?? Number.NEGATIVE_INFINITY,
    isLearned,
  }
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
