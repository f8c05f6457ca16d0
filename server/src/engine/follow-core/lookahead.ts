import type { ChainBlock } from '../sources/block.ts'
import type { BlockMemory } from './block-memory.ts'

export type LookaheadLimits = {
  /** The number of parallel fetches. */
  concurrency: number
  /** The number of fetched or fetching blocks that are not taken yet. */
  queuedMax: number
  /** The memory that all sources share. The next block waits for room only for a while; those after it are fetched if there is room. */
  memory: BlockMemory
}
type Fetch = (number: number) => Promise<ChainBlock | undefined>
export type NumberedBlock = { number: number; block: ChainBlock | undefined }
type QueuedFetch = {
  number: number
  result: Promise<ChainBlock | undefined>
  state: 'fetching' | 'done' | 'failed'
  /** What is counted for it in the memory of blocks: an estimate until it is fetched. */
  bytes: number
}

/** The first estimate of a block's size. Later ones are the size of the block that was fetched last. */
const firstEstimate = 500_000

/**
 * Fetches blocks in parallel ahead of a consumer that takes them in order, so that the latency of a node is not paid for each
 * block. If a fetch fails, only that block is fetched again; the blocks after it are kept.
 */
export class Lookahead {
  readonly #fetch: Fetch
  readonly #limits: LookaheadLimits
  #waiting: QueuedFetch[] = []
  #next = 0
  #last = -1
  #estimate = firstEstimate

  constructor(fetch: Fetch, limits: LookaheadLimits) {
    this.#fetch = fetch
    this.#limits = limits
  }

  /** Sets the range to fetch. Blocks outside of it are dropped: if the head went back, they may be of another fork. */
  setRange(from: number, to: number): void {
    const first = this.#waiting[0]
    if ((first ? first.number : this.#next) !== from) this.drop(from)
    this.#last = to
    this.#next = Math.min(this.#next, to + 1)
    while ((this.#waiting.at(-1)?.number ?? to) > to) this.#uncount(this.#waiting.pop())
    this.#waiting = this.#waiting.map((each) => (each.state === 'failed' ? this.#begin(each.number, false) : each))
    this.#fill()
  }

  drop(from = 0): void {
    for (const each of this.#waiting) this.#uncount(each)
    this.#waiting = []
    this.#next = from
    this.#last = from - 1
  }

  /** Waits until the next block is fetched, and returns its size. Throws if it cannot be fetched. */
  async wait(): Promise<number> {
    const [next] = this.#waiting
    await next?.result
    return next?.bytes ?? 0
  }

  /**
   * Waits for the next block and returns it with the fetched blocks after it, as many as `max` and `bytesMax` allow.
   * Empty if the range is empty. Throws if the next block cannot be fetched.
   */
  async take(max: number, bytesMax: number): Promise<NumberedBlock[]> {
    await this.wait()
    const taken: NumberedBlock[] = []
    let bytes = 0
    for (let next = this.#waiting[0]; next?.state === 'done' && taken.length < max; next = this.#waiting[0]) {
      bytes += next.bytes
      if (taken.length > 0 && bytes > bytesMax) break
      taken.push({ number: next.number, block: await next.result })
      this.#uncount(this.#waiting.shift())
    }
    this.#fill()
    return taken
  }

  #fill(): void {
    while (this.#next <= this.#last && this.#mayFetch()) {
      const isCounted = this.#waiting.length > 0
      this.#waiting.push(this.#begin(this.#next++, isCounted))
    }
  }

  /** True for the next block. A block after it is counted here, if there is room for it. */
  #mayFetch(): boolean {
    if (this.#waiting.length === 0) return true
    const { concurrency, queuedMax, memory } = this.#limits
    const isFetching = ({ state }: QueuedFetch) => state === 'fetching'
    if (this.#waiting.length >= queuedMax || this.#waiting.filter(isFetching).length >= concurrency) return false
    return memory.tryCount(this.#estimate)
  }

  #begin(number: number, isCounted: boolean): QueuedFetch {
    const bytes = this.#estimate
    const room = isCounted ? undefined : this.#askForRoom(number, bytes)
    const waiting: QueuedFetch = {
      ...{ number, state: 'fetching', bytes: room ? 0 : bytes },
      result: room ? room.then(() => this.#fetchCounted(waiting, bytes)) : this.#fetch(number),
    }
    const end = (state: QueuedFetch['state'], block?: ChainBlock) => {
      waiting.state = state
      if (!this.#waiting.includes(waiting)) return
      this.#setBytes(waiting, block?.bytes ?? 0)
      if (block) this.#estimate = waiting.bytes
      this.#fill()
    }
    waiting.result.then(
      (block) => end('done', block),
      () => end('failed'),
    )
    return waiting
  }

  /** The block at the head does not wait for the sources that are behind. */
  #askForRoom(number: number, bytes: number): Promise<void> | undefined {
    const { memory } = this.#limits
    if (number < this.#last) return memory.count(bytes)
    memory.change(bytes)
    return undefined
  }

  /** Undefined if the block was dropped before there was room for it. */
  async #fetchCounted(waiting: QueuedFetch, bytes: number): Promise<ChainBlock | undefined> {
    if (this.#waiting.includes(waiting)) {
      waiting.bytes = bytes
      return this.#fetch(waiting.number)
    }
    this.#limits.memory.change(-bytes)
    return undefined
  }

  #setBytes(waiting: QueuedFetch, bytes: number): void {
    this.#limits.memory.change(bytes - waiting.bytes)
    waiting.bytes = bytes
  }

  #uncount(waiting: QueuedFetch | undefined): void {
    if (waiting) this.#setBytes(waiting, 0)
  }
}
