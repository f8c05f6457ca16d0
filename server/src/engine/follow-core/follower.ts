import type { ChainBlock } from '../sources/block.ts'
import type { BlockSink, ChainHead, FollowedChain, Link } from './chain.ts'
import { Lookahead, type LookaheadLimits, type NumberedBlock } from './lookahead.ts'

export type FollowerOptions = LookaheadLimits & {
  /** The number of blocks on top of a block before it is applied. */
  confirmations: number
  /** The largest number of blocks in one commit, and of the bytes that they need. A larger block is alone in its commit. */
  batchMax: number
  batchBytesMax: number
}
/** The applied blocks that a reorg may still replace, the oldest first. The follower continues after the last. */
export type Applied = readonly Link[]

/**
 * The result of a step:
 * - ahead: the step applied or undid blocks, and there may be more to do at once;
 * - level: there is nothing to do until the head changes;
 * - short: the node did not return a block that should exist; try again soon.
 */
export type Step = {
  kind: 'ahead' | 'level' | 'short'
  head: ChainHead
  deep?: DeepReorg
  /** The chain is shorter than the first kept block: the node is far behind, or its chain was reset. */
  isBelow?: boolean
}
/** A reorg replaced all kept blocks, and perhaps more. `from` is the lowest number that was undone. */
export type DeepReorg = { from: number; to: number; isFromBeginning: boolean }

/**
 * Keeps the applied blocks equal to the chain. Each step compares the head with the last applied block (tip):
 * - the target (head minus confirmations) is above the tip: fetch the blocks between, check that each names its
 *   predecessor as parent, and apply them;
 * - a parent does not match, or the tip has another hash on the chain: walk back by parent hashes to the common block and
 *   undo the applied blocks after it;
 * - no kept block is common: undo all and continue on the chain below the lowest kept block (deep reorg).
 * After an undo the next step reads the head again, because the old head may belong to neither fork. A step costs one
 * fetch per new block, and one link per replaced block.
 */
export class Follower {
  readonly #chain: FollowedChain
  readonly #sink: BlockSink
  readonly #options: FollowerOptions
  readonly #lookahead: Lookahead
  #applied: Link[]
  /** Numbers up to this one had no block at the last check. */
  #emptyUntil = -1
  #checkedHead: string | undefined
  /** True if no block before the first kept one was ever applied. */
  #isFromBeginning: boolean
  #isClosed = false

  constructor(
    chain: FollowedChain,
    sink: BlockSink,
    applied: Applied,
    options: FollowerOptions & { isFromBeginning?: boolean },
  ) {
    this.#chain = chain
    this.#sink = sink
    this.#options = options
    this.#applied = [...applied]
    this.#isFromBeginning = options.isFromBeginning ?? false
    this.#lookahead = new Lookahead((number) => chain.block(number), options)
  }

  get tip(): Link | undefined {
    return this.#applied.at(-1)
  }

  get applied(): Applied {
    return this.#applied
  }

  /** The first block of the chain without gaps that ends at the tip. Blocks between it and earlier kept blocks were skipped. */
  get unbrokenFrom(): Link | undefined {
    const gap = this.#applied.findLastIndex(
      ({ parentHash }, at) => at > 0 && parentHash !== this.#applied[at - 1]?.hash,
    )
    return this.#applied[Math.max(0, gap)]
  }

  /** Adds blocks that end before `unbrokenFrom`, the oldest first. A reorg undoes them like applied ones. */
  addEarlier(links: readonly Link[]): void {
    const at = this.#applied.findIndex(({ number }) => number > (links.at(-1)?.number ?? 0))
    this.#applied.splice(Math.max(0, at), 0, ...links)
  }

  /** Forgets final blocks up to this number. They are not checked again. */
  forgetUpTo(number: number): void {
    const keep = this.#applied.findIndex((link) => link.number > number)
    if (keep <= 0) return
    this.#applied.splice(0, Math.min(keep, this.#applied.length - 1))
    this.#isFromBeginning = false
  }

  /** Frees the memory of blocks that were read ahead. Blocks that are not applied yet are not applied any more. */
  close(): void {
    this.#isClosed = true
    this.#lookahead.drop()
  }

  /** Continues after a block without applying it or the blocks before it. */
  async begin(at: Link): Promise<void> {
    await this.#sink.begin(at)
    this.#lookahead.drop()
    this.#emptyUntil = -1
    const kept = this.#applied.filter(({ number }) => number < at.number)
    this.#isFromBeginning = kept.length === 0
    this.#applied = [...kept, at]
  }

  /** With `announced` the step does not fetch the head. */
  async step(announced?: ChainHead): Promise<Step> {
    return this.#step(announced ?? (await this.#chain.head()))
  }

  async #step(head: ChainHead): Promise<Step> {
    const target = head.number - this.#options.confirmations
    const { tip } = this
    if (!tip) throw new Error('a follower needs a first block: call begin')
    return target > tip.number ? this.#advance(tip, target, head) : this.#compare(tip, target, head)
  }

  async #advance(tip: Link, target: number, head: ChainHead): Promise<Step> {
    // The head went back, so the empty numbers were those of another fork.
    if (this.#emptyUntil >= target) this.#emptyUntil = -1
    const from = Math.max(tip.number, this.#emptyUntil) + 1
    this.#lookahead.setRange(from, target)
    const bytes = await this.#lookahead.wait()
    const batch = { bytes, isAtHead: from === target }
    return this.#options.memory.runBatch(() => this.#applyNext(tip, target, head), batch)
  }

  async #applyNext(tip: Link, target: number, head: ChainHead): Promise<Step> {
    if (this.#isClosed) return { kind: 'level', head }
    const fetched = await this.#lookahead.take(this.#options.batchMax, this.#options.batchBytesMax)
    const { blocks, end } = readLinkedBlocks(tip, fetched, this.#chain.skipsNumbers)
    if (blocks.length > 0) {
      await this.#sink.apply(blocks)
      for (const { number, hash, parentHash } of blocks) this.#applied.push({ number, hash, parentHash })
    }
    if (end === 'whole') return this.#afterFetch(fetched, target, head, blocks.length > 0)
    this.#lookahead.drop()
    this.#emptyUntil = -1
    if (blocks.length > 0) return { kind: 'ahead', head }
    const otherFork = fetched.find(({ block }) => block)?.block
    return otherFork ? this.#undo(await this.#findReplaced(otherFork), head) : { kind: 'short', head }
  }

  /** The head always has a block. If the node cannot return it yet, the follower fetches it again and does not treat the number as skipped. */
  #afterFetch(fetched: readonly NumberedBlock[], target: number, head: ChainHead, hasMoved: boolean): Step {
    const last = fetched.at(-1)
    const number = last?.number ?? target
    const isLate = number === target && last !== undefined && !last.block
    this.#emptyUntil = this.#chain.skipsNumbers && !isLate ? number : -1
    if (number < target) return { kind: 'ahead', head }
    return { kind: isLate && !hasMoved ? 'short' : 'level', head }
  }

  /** The target is not above the tip: the chain is equal, behind, or another fork. */
  async #compare(tip: Link, target: number, head: ChainHead): Promise<Step> {
    const mark = `${head.number} ${head.hash ?? ''}`
    if (head.hash !== undefined && mark === this.#checkedHead && target === tip.number) return { kind: 'level', head }
    const at = this.#applied.findLast(({ number }) => number <= target)
    if (at) {
      const isSame = head.hash === at.hash && head.number === at.number
      const now = isSame ? at : await this.#chain.link(at.number)
      if (!now) return { kind: 'short', head }
      if (now.hash !== at.hash) return this.#undo(await this.#findReplaced(now), head)
    }
    this.#checkedHead = mark
    // A node that lags shows the same chain, only shorter. If the chain really was cut, its next blocks will show it.
    return { kind: 'level', head, isBelow: at === undefined }
  }

  /**
   * Walks back from a block by its parents and returns the applied blocks that are not its ancestors. Returns none if the
   * chain changed during the walk, or if a block between is missing.
   */
  async #findReplaced(from: Link): Promise<Link[]> {
    const lowest = this.#applied[0]?.number ?? 0
    for (let at = from; ; ) {
      const common = this.#applied.findIndex(({ hash }) => hash === at.parentHash)
      if (common >= 0) return this.#applied.slice(common + 1)
      const parent = await this.#parentOf(at, lowest)
      if (parent === 'below') return [...this.#applied]
      if (!parent) return []
      at = parent
    }
  }

  async #parentOf({ number, parentHash }: Link, lowest: number): Promise<Link | 'below' | undefined> {
    for (let at = number - 1; at >= lowest; at -= 1) {
      const link = await this.#chain.link(at)
      if (link) return link.hash === parentHash ? link : undefined
      if (!this.#chain.skipsNumbers) return undefined
    }
    return 'below'
  }

  async #undo(replaced: readonly Link[], head: ChainHead): Promise<Step> {
    const [lowest] = replaced
    this.#lookahead.drop()
    this.#checkedHead = undefined
    if (!lowest) return { kind: 'short', head }
    const rest = this.#applied.slice(0, this.#applied.length - replaced.length)
    const to = rest.at(-1)
    if (!to) return this.#undoAll(lowest, replaced, head)
    await this.#sink.undo(replaced.toReversed(), to)
    this.#applied = rest
    return { kind: 'ahead', head }
  }

  /** No kept block is on the chain any more. Continues on the current chain below the lowest kept block. */
  async #undoAll(lowest: Link, replaced: readonly Link[], head: ChainHead): Promise<Step> {
    const newTip = await this.#findBlockBelow(Math.min(lowest.number - 1, head.number - this.#options.confirmations))
    if (!newTip) return { kind: 'short', head }
    await this.#sink.undo(replaced.toReversed(), newTip)
    const deep = { from: lowest.number, to: newTip.number, isFromBeginning: this.#isFromBeginning }
    this.#applied = [newTip]
    this.#isFromBeginning = true
    return { kind: 'ahead', head, deep }
  }

  async #findBlockBelow(number: number): Promise<Link | undefined> {
    for (let at = Math.max(0, number); at >= Math.max(0, number - skippedMax); at -= 1) {
      const link = await this.#chain.link(at)
      if (link) return { number: link.number, hash: link.hash, parentHash: link.parentHash }
      if (!this.#chain.skipsNumbers) return undefined
    }
    return undefined
  }
}

/** The search backwards stops after this many numbers without a block. */
const skippedMax = 1_000

/** Returns the blocks that form a chain on the tip, and why it ended: a wrong parent or a missing block. */
function readLinkedBlocks(
  tip: Link,
  fetched: readonly { block: ChainBlock | undefined }[],
  skipsNumbers: boolean,
): { blocks: ChainBlock[]; end: 'whole' | 'broken' | 'missing' } {
  const blocks: ChainBlock[] = []
  let before = tip.hash
  for (const { block } of fetched) {
    if (!block && skipsNumbers) continue
    if (!block) return { blocks, end: 'missing' }
    if (block.parentHash !== before) return { blocks, end: 'broken' }
    blocks.push(block)
    before = block.hash
  }
  return { blocks, end: 'whole' }
}
