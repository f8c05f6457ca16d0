import type { ChainBlock } from '../sources/block.ts'

export type LookaheadLimits = {
  /** The number of parallel fetches. */
  concurrency: number
  /** The number of fetched or fetching blocks that are not taken yet. */
  queuedMax: number
  /** While the fetched blocks that are not taken yet need more bytes than this, no other fetch starts. */
  queuedBytesMax: number
}
type Fetch = (number: number) => Promise<ChainBlock | undefined>
export type NumberedBlock = { number: number; block: ChainBlock | undefined }
type QueuedFetch = {
  number: number
  result: Promise<ChainBlock | undefined>
  state: 'fetching' | 'done' | 'failed'
  /** 0 until the block is fetched. */
  bytes: number
}

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
    this.#waiting = this.#waiting
      .filter(({ number }) => number <= to)
      .map((each) => (each.state === 'failed' ? this.#begin(each.number) : each))
    this.#fill()
  }

  drop(from = 0): void {
    this.#waiting = []
    this.#next = from
    this.#last = from - 1
  }

  /**
   * Waits for the next block and returns it with the fetched blocks after it, as many as `max` and `bytesMax` allow.
   * Empty if the range is empty. Throws if the next block cannot be fetched.
   */
  async take(max: number, bytesMax: number): Promise<NumberedBlock[]> {
    const [first] = this.#waiting
    if (!first) return []
    await first.result
    const taken: NumberedBlock[] = []
    let bytes = 0
    for (let next = this.#waiting[0]; next?.state === 'done' && taken.length < max; next = this.#waiting[0]) {
      bytes += next.bytes
      if (taken.length > 0 && bytes > bytesMax) break
      taken.push({ number: next.number, block: await next.result })
      this.#waiting.shift()
    }
    this.#fill()
    return taken
  }

  #fill(): void {
    while (this.#next <= this.#last && this.#hasRoom()) this.#waiting.push(this.#begin(this.#next++))
  }

  #hasRoom(): boolean {
    const { concurrency, queuedMax, queuedBytesMax } = this.#limits
    const isFetching = ({ state }: QueuedFetch) => state === 'fetching'
    if (this.#waiting.length >= queuedMax || this.#waiting.filter(isFetching).length >= concurrency) return false
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0) < queuedBytesMax
  }

  #begin(number: number): QueuedFetch {
    const waiting: QueuedFetch = { number, result: this.#fetch(number), state: 'fetching', bytes: 0 }
    const end = (state: QueuedFetch['state'], block?: ChainBlock) => {
      waiting.state = state
      waiting.bytes = block?.bytes ?? 0
      this.#fill()
    }
    waiting.result.then(
      (block) => end('done', block),
      () => end('failed'),
    )
    return waiting
  }
}
