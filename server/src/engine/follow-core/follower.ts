import type { ChainBlock } from '../sources/block.ts'
import type { BlockSink, FollowedChain, Link, SeenHead } from './chain.ts'
import { Lookahead, type LookaheadLimits, type Numbered } from './lookahead.ts'

export type FollowerOptions = LookaheadLimits & {
  /** So many blocks must stand on a block before it is applied. */
  confirmations: number
  /** Blocks that may go into one commit. */
  batchMost: number
}
/** The applied blocks that may still be replaced, the oldest first; the last is where to go on. */
export type Applied = readonly Link[]

/**
 * - ahead: something was applied, or undone, and there may be more at once;
 * - level: nothing to do until there is another head;
 * - short: a block that should be there was not: worth another look soon.
 */
export type Step = {
  kind: 'ahead' | 'level' | 'short'
  head: SeenHead
  deep?: DeepReorganisation
  /** The chain ends before the first block that is kept: the node is far behind, or its chain began anew. */
  isBelow?: boolean
}
/** All that was kept was replaced, and perhaps more: `from` is the lowest number that was taken back. */
export type DeepReorganisation = { from: number; to: number; isFromBeginning: boolean }

/**
 * Keeps what was applied the same as the chain, whatever the chain does: fills gaps, checks parents, takes back what was
 * replaced. After anything was taken back the head is read again: the one before it may belong to neither chain.
 */
export class Follower {
  readonly #chain: FollowedChain
  readonly #sink: BlockSink
  readonly #options: FollowerOptions
  readonly #lookahead: Lookahead
  #applied: Link[]
  /** Numbers up to here had no block when they were last looked at. */
  #emptyUntil = -1
  #checkedHead: string | undefined
  /** Nothing before the first kept block was ever applied. */
  #isFromBeginning: boolean

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

  /** Blocks up to this number are final: they are not looked at again. */
  forgetUpTo(number: number): void {
    const keep = this.#applied.findIndex((link) => link.number > number)
    if (keep <= 0) return
    this.#applied.splice(0, Math.min(keep, this.#applied.length - 1))
    this.#isFromBeginning = false
  }

  /** Goes on from a block without applying it, nor those before it. */
  async begin(at: Link): Promise<void> {
    await this.#sink.begin(at)
    this.#lookahead.drop()
    this.#emptyUntil = -1
    const kept = this.#applied.filter(({ number }) => number < at.number)
    this.#isFromBeginning = kept.length === 0
    this.#applied = [...kept, at]
  }

  /** `announced` spares the look at the head. */
  async step(announced?: SeenHead): Promise<Step> {
    return this.#step(announced ?? (await this.#chain.head()))
  }

  async #step(head: SeenHead): Promise<Step> {
    const target = head.number - this.#options.confirmations
    const { tip } = this
    if (!tip) throw new Error('a follower begins somewhere')
    return target > tip.number ? this.#advance(tip, target, head) : this.#compare(tip, target, head)
  }

  async #advance(tip: Link, target: number, head: SeenHead): Promise<Step> {
    const from = Math.max(tip.number, this.#emptyUntil) + 1
    if (from > target) return { kind: 'level', head }
    this.#lookahead.aim(from, target)
    const taken = await this.#lookahead.take(this.#options.batchMost)
    const { run, end } = linked(tip, taken, this.#chain.skipsNumbers)
    if (run.length > 0) {
      await this.#sink.apply(run)
      for (const { number, hash, parentHash } of run) this.#applied.push({ number, hash, parentHash })
    }
    if (end === 'whole') return this.#reached(taken, target, head, run.length > 0)
    this.#lookahead.drop()
    this.#emptyUntil = -1
    if (run.length > 0) return { kind: 'ahead', head }
    const foreign = taken.find(({ block }) => block)?.block
    return foreign ? this.#undo(await this.#findReplaced(foreign), head) : { kind: 'short', head }
  }

  /** The head has a block: if it cannot be read yet, it is asked for again, and not taken for a number without one. */
  #reached(taken: readonly Numbered[], target: number, head: SeenHead, hasMoved: boolean): Step {
    const last = taken.at(-1)
    const number = last?.number ?? target
    const isLate = number === target && last !== undefined && !last.block
    this.#emptyUntil = this.#chain.skipsNumbers && !isLate ? number : -1
    if (number < target) return { kind: 'ahead', head }
    return { kind: isLate && !hasMoved ? 'short' : 'level', head }
  }

  /** The chain is not longer than what was applied: the same, behind, or another. */
  async #compare(tip: Link, target: number, head: SeenHead): Promise<Step> {
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
    // The same chain, only shorter, is what a node that lags shows: a chain that was cut shows it when it grows again.
    return { kind: 'level', head, isBelow: at === undefined }
  }

  /**
   * The applied blocks that a block of the chain does not stand on, by its parents one after the other. None when the
   * chain changed while it was looked at, or when only a block between is missing.
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

  async #undo(replaced: readonly Link[], head: SeenHead): Promise<Step> {
    const [lowest] = replaced
    this.#lookahead.drop()
    this.#checkedHead = undefined
    if (!lowest) return { kind: 'short', head }
    const left = this.#applied.slice(0, this.#applied.length - replaced.length)
    const to = left.at(-1)
    if (!to) return this.#undoAll(lowest, replaced, head)
    await this.#sink.undo(replaced.toReversed(), to)
    this.#applied = left
    return { kind: 'ahead', head }
  }

  /** No common ground is left: goes on where the kept blocks began, on the chain as it is now. */
  async #undoAll(lowest: Link, replaced: readonly Link[], head: SeenHead): Promise<Step> {
    const ground = await this.#groundBelow(Math.min(lowest.number - 1, head.number - this.#options.confirmations))
    if (!ground) return { kind: 'short', head }
    await this.#sink.undo(replaced.toReversed(), ground)
    const deep = { from: lowest.number, to: ground.number, isFromBeginning: this.#isFromBeginning }
    this.#applied = [ground]
    this.#isFromBeginning = true
    return { kind: 'ahead', head, deep }
  }

  async #groundBelow(number: number): Promise<Link | undefined> {
    for (let at = Math.max(0, number); at >= Math.max(0, number - skippedMost); at -= 1) {
      const link = await this.#chain.link(at)
      if (link) return { number: link.number, hash: link.hash, parentHash: link.parentHash }
      if (!this.#chain.skipsNumbers) return undefined
    }
    return undefined
  }
}

/** How many numbers in a row may have no block before a look back gives up. */
const skippedMost = 1_000

/** The blocks that stand on one another and on the tip, and what stopped: one that does not, one that is not there. */
function linked(
  tip: Link,
  taken: readonly { block: ChainBlock | undefined }[],
  skipsNumbers: boolean,
): { run: ChainBlock[]; end: 'whole' | 'broken' | 'missing' } {
  const run: ChainBlock[] = []
  let before = tip.hash
  for (const { block } of taken) {
    if (!block && skipsNumbers) continue
    if (!block) return { run, end: 'missing' }
    if (block.parentHash !== before) return { run, end: 'broken' }
    run.push(block)
    before = block.hash
  }
  return { run, end: 'whole' }
}
