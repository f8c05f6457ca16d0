import { waitForTurn } from '../../engine/base/event-loop-turns.ts'
import { Mutex } from '../../engine/base/mutex.ts'
import type { BlockSink, Link } from '../../engine/follow-core/chain.ts'
import { networkOf } from '../../engine/sources/bindings.ts'
import type { ChainBlock } from '../../engine/sources/block.ts'
import type { NewMember } from '../../store/following/factories.ts'
import { requireLease } from '../../store/following/followers.ts'
import { commitBlocks, type MatchedBlock } from './commit-blocks.ts'
import { commitUndo } from './commit-undo.ts'
import { earlierMax, FactoryMembers } from './factory-members.ts'
import type { FollowContext } from './follow-context.ts'
import { matchBlock } from './match-block.ts'
import { PartHealth } from './part-health.ts'
import type { LockedBlocks } from './save-progress.ts'
import { LostEventLines } from './source-report.ts'

type SinkContext = Pick<
  FollowContext,
  | 'deps'
  | 'source'
  | 'lease'
  | 'chain'
  | 'connection'
  | 'view'
  | 'report'
  | 'fairness'
  | 'progress'
  | 'blockTime'
  | 'unproven'
  | 'learnFactories'
>
/** Blocks that were matched with the listeners of this version, and the contracts of factories that they show. */
type Matched = { version: number; blocks: readonly MatchedBlock[]; members: readonly NewMember[] }

const heldMax = 16
const nothingHeld: Matched = { version: 0, blocks: [], members: [] }

/**
 * Takes the follower's blocks: matches and commits them, undoes them, or begins at one of them.
 *
 * A block at the head without matches is held: it is committed with later ones, for all sources of the process by one
 * statement (`save-progress.ts`). Before that commit the listeners are refreshed, and if they changed, the held blocks are
 * matched again. So a subscription whose save was answered before a block was made always matches in it, and after a crash
 * the next process reads the held blocks again. While notices of changes do not arrive, nothing is held.
 */
export class SourceSink implements BlockSink {
  readonly #context: SinkContext
  readonly #health: PartHealth
  readonly #lostLines: LostEventLines
  readonly #mutex = new Mutex()
  readonly #factories: FactoryMembers
  #held: Matched = nothingHeld
  /** A commit of held blocks failed. The follower is ahead of the store then, so every further call throws. */
  #failure: unknown

  constructor(context: SinkContext) {
    this.#context = context
    this.#health = new PartHealth(context.lease)
    this.#lostLines = new LostEventLines(context.deps.now)
    this.#factories = new FactoryMembers(context)
  }

  apply(blocks: readonly ChainBlock[]): Promise<void> {
    return this.#alone(async () => {
      try {
        await this.#apply(blocks)
        for (const { number, timestampMs } of blocks) this.#context.blockTime.recordBlock(number, timestampMs)
      } catch (error) {
        // Members of blocks that were not committed may be known already.
        this.#factories.reset()
        throw error
      }
    })
  }

  undo(blocks: readonly Link[], to: Link | undefined): Promise<void> {
    return this.#alone(async () => {
      await this.#commitHeld()
      await undo(this.#context, blocks, to)
      this.#factories.reset()
    })
  }

  begin(at: Link): Promise<void> {
    return this.#alone(async () => {
      await this.#commitHeld()
      await begin(this.#context, at)
      this.#factories.reset()
    })
  }

  /** Runs the work while no block is applied or undone. It gets the number of the last applied block, which is stored. */
  handOver<T>(work: (checkpoint: number) => Promise<T>): Promise<T> {
    const { deps, lease } = this.#context
    return this.#alone(async () => {
      await this.#commitHeld()
      return work((await deps.store.followers.find(lease.source))?.number ?? -1)
    })
  }

  /** Commits the held blocks, before the run ends. */
  flush(): Promise<void> {
    return this.#alone(() => this.#commitHeld())
  }

  /** Drops the held blocks: the next sink of the source begins at the stored checkpoint. */
  close(): Promise<void> {
    return this.#mutex.run(async () => this.#fail(new Error('the sink is closed')))
  }

  /** Throws if held blocks could not be saved. */
  requireSaved(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Locks the held blocks for a common commit. Undefined if there are none, or if the sink is at work. */
  tryLockHeld(): LockedBlocks | undefined {
    if (this.#held.blocks.length === 0 || this.#failure !== undefined) return undefined
    const unlock = this.#mutex.tryLock()
    if (!unlock) return undefined
    const { deps, lease, progress } = this.#context
    const { version, blocks } = this.#held
    return {
      ...{ lease, version, blocks: blocks.map(({ block }) => block), checkpoint: progress.horizon, unlock },
      markSaved: () => {
        deps.meter.blocks(lease.source, blocks.length, 0)
        this.#dropHeld()
      },
      commitAlone: () => this.#commitHeld().catch((error: unknown) => this.#fail(error)),
    }
  }

  /** Up to which time all blocks are read and stored. Null while blocks are held: the commit that stores them stores it too. */
  storedReadAt(): Date | null {
    return this.#held.blocks.length > 0 ? null : this.#context.progress.readAt
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(() => {
      this.requireSaved()
      return work()
    })
  }

  async #apply(fetched: readonly ChainBlock[]): Promise<void> {
    const { deps } = this.#context
    await this.#reportUnproven(fetched)
    await this.#health.load(deps.store)
    await deps.crashPoint('ingest.fetched')
    if (!this.#mayHold(fetched)) return this.#commit([...this.#heldBlocks(), ...fetched])
    await deps.listeners.refreshIfNoticed()
    const matched = await this.#match(fetched)
    const together = join(this.#held, matched)
    if (this.#mustCommit(matched)) await this.#commit([...this.#heldBlocks(), ...fetched], together)
    else this.#held = together
  }

  async #reportUnproven(fetched: readonly ChainBlock[]): Promise<void> {
    const { report, unproven } = this.#context
    const line = unproven.note(fetched)
    if (line) await report.log(line)
    report.doubt = unproven.message
  }

  /** Only at the head: a source that catches up commits its blocks in batches anyway. */
  #mayHold(fetched: readonly ChainBlock[]): boolean {
    const { deps, source, progress } = this.#context
    const last = fetched.at(-1)?.number ?? 0
    const isAtHead = last >= progress.horizon.head - (source.settings.confirmations ?? 0)
    return isAtHead && deps.store.notifications.isUp && this.#held.blocks.length + fetched.length <= heldMax
  }

  #mustCommit({ blocks, members }: Matched): boolean {
    if (members.length > 0 || this.#factories.mustWrite) return true
    if (blocks.some(({ lost }) => lost && lost.length > 0)) return true
    return blocks.some(({ matches }) => matches.length > 0) || this.#health.mustWrite(this.#checkParts(blocks))
  }

  #checkParts(matched: readonly MatchedBlock[]) {
    const { view } = this.#context
    return this.#health.check(matched.map(({ block }) => ({ block, parts: view.partsOf(block) })))
  }

  #heldBlocks(): ChainBlock[] {
    return this.#held.blocks.map(({ block }) => block)
  }

  #dropHeld(): void {
    this.#held = nothingHeld
  }

  #fail(error: unknown): void {
    this.#failure = error
    this.#dropHeld()
  }

  async #commitHeld(): Promise<void> {
    if (this.#held.blocks.length > 0) await this.#commit(this.#heldBlocks(), this.#held)
  }

  async #commit(blocks: readonly ChainBlock[], known?: Matched): Promise<void> {
    const { deps, lease, fairness, report, progress } = this.#context
    const startedMs = deps.clock().getTime()
    // A subscription whose save was answered before the blocks were made must match in them.
    await deps.listeners.refresh()
    const { blocks: matched, members } = await this.#matchIfChanged(blocks, known)
    const change = this.#checkParts(matched)
    const commit = { lease, blocks: matched, checkpoint: progress.horizon, fairness, at: deps.clock() }
    const keepMembers = await commitBlocks(deps, commit, async (store) => {
      await this.#health.write(store, change, deps.clock())
      return this.#factories.write(store, members, blocks.at(-1)?.number ?? 0)
    })
    await deps.crashPoint('ingest.afterCommit')
    const matches = countMatches(matched)
    deps.meter.blocks(lease.source, matched.length, matches)
    this.#traceBlocks(matched, startedMs)
    this.#dropHeld()
    keepMembers()
    this.#health.keep(change)
    const lostLines = matched.flatMap(({ block, lost }) => (lost && this.#lostLines.lineOf(block.number, lost)) ?? [])
    for (const line of [...change.lines, ...lostLines]) await report.log(line)
  }

  /** A trace begins with a block that matched. */
  #traceBlocks(matched: readonly MatchedBlock[], startMs: number): void {
    const { deps, lease } = this.#context
    if (!deps.tracing) return
    const endMs = deps.clock().getTime()
    for (const each of matched) {
      const { number, hash: blockHash } = each.block
      const matches = countMatches([each])
      if (matches > 0) deps.tracing.block({ source: lease.source, blockHash }, { number, matches }, { startMs, endMs })
    }
  }

  /** Earlier blocks are read for factories once, so what the first match learned from them stays. */
  async #matchIfChanged(blocks: readonly ChainBlock[], known: Matched | undefined): Promise<Matched> {
    if (known?.version === this.#context.deps.listeners.version()) return known
    const matched = await this.#match(blocks)
    return { ...matched, members: [...(known?.members ?? []), ...matched.members] }
  }

  async #match(fetched: readonly ChainBlock[]): Promise<Matched> {
    const { deps, source, chain, view, report } = this.#context
    const version = deps.listeners.version()
    const blocks = await Promise.all(fetched.map((block) => view.complete(block)))
    const index = deps.listeners.index(source.fullname)
    if (index) index.network = networkOf({ ...source, isBuiltIn: source.id === null }, report.runtime)
    const matched: MatchedBlock[] = []
    const members: NewMember[] = []
    for (const block of blocks) {
      await waitForTurn()
      do members.push(...(await this.#factories.prepare(index, block)))
      while (!this.#factories.isReady(index))
      members.push(...this.#factories.learn(block))
      const lost = index && chain.items.listLost?.(block, index.specs())
      matched.push({ block, matches: matchBlock(block, chain.items, index), ...(lost && { lost }) })
    }
    await deps.crashPoint('ingest.matched')
    return { version, blocks: matched, members }
  }
}

function countMatches(blocks: readonly MatchedBlock[]): number {
  let count = 0
  for (const { matches } of blocks) for (const ofTrigger of matches) count += ofTrigger.matches.length
  return count
}

/** The older version counts, because its blocks have to be matched again after any later change. */
function join(held: Matched, added: Matched): Matched {
  if (held.blocks.length === 0) return added
  const [blocks, members] = [
    [...held.blocks, ...added.blocks],
    [...held.members, ...added.members],
  ]
  return { version: Math.min(held.version, added.version), blocks, members }
}

async function undo(context: SinkContext, blocks: readonly Link[], to: Link | undefined): Promise<void> {
  const { deps, lease, report } = context
  // The blocks that replace the undone ones may have earlier times.
  context.progress.readAt = null
  const checkpoint = context.progress.horizon
  if (!to) throw new Error('an undo needs a block to continue from')
  const retracted = await deps.store.tx(async (store) => {
    const count = await commitUndo(store, { lease, blocks, to, checkpoint, at: deps.clock() })
    await deps.crashPoint('undo.beforeCommit')
    return count
  })
  await deps.crashPoint('undo.afterCommit')
  const details = { blocks: blocks.length, from: to.number + 1, retracted }
  const message = `A reorganisation replaced ${blocks.length} blocks after ${to.number}`
  await report.log({ level: 'warn', message, details })
}

async function begin({ deps, lease, progress }: SinkContext, at: Link): Promise<void> {
  const checkpoint = progress.horizon
  const { number, hash, parentHash } = at
  await deps.store.tx(async (store) => {
    await requireLease(store, lease)
    await store.sourceBlocks.removeAbove(lease.source, number)
    await store.histories.rewind(lease.source, { to: number, tip: Number.MAX_SAFE_INTEGER }, deps.clock())
    await store.factories.undo(lease.source, number - earlierMax)
    await store.sourceBlocks.add(lease.source, [{ number, hash, parentHash }])
    await store.followers.saveCheckpoint(lease, { ...checkpoint, number, hash }, deps.clock())
    await deps.crashPoint('begin.beforeCommit')
  })
}
