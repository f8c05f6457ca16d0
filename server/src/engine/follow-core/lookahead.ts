import type { ChainBlock } from '../sources/block.ts'

export type LookaheadLimits = {
  /** The number of parallel fetches. */
  concurrency: number
  /** The number of fetched or fetching blocks that are not taken yet. */
  queuedMax: number
}
type Fetch = (number: number) => Promise<ChainBlock | undefined>
export type NumberedBlock = { number: number; block: ChainBlock | undefined }
type QueuedFetch = { number: number; result: Promise<ChainBlock | undefined>; state: 'fetching' | 'done' | 'failed' }

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

  /** Sets the range to fetch. Blocks of another range are dropped. */
  setRange(from: number, to: number): void {
    const first = this.#waiting[0]
    if ((first ? first.number : this.#next) !== from) this.drop(from)
    this.#last = to
    this.#waiting = this.#waiting.map((each) => (each.state === 'failed' ? this.#begin(each.number) : each))
    this.#fill()
  }

  drop(from = 0): void {
    this.#waiting = []
    this.#next = from
    this.#last = from - 1
  }

  /**
   * Waits for the next block and returns it with the fetched blocks after it. Empty if the range is empty. Throws if the
   * next block cannot be fetched.
   */
  async take(max: number): Promise<NumberedBlock[]> {
    const [first] = this.#waiting
    if (!first) return []
    await first.result
    const taken: NumberedBlock[] = []
    for (let next = this.#waiting[0]; next?.state === 'done' && taken.length < max; next = this.#waiting[0]) {
      taken.push({ number: next.number, block: await next.result })
      this.#waiting.shift()
    }
    this.#fill()
    return taken
  }

  #fill(): void {
    const { concurrency, queuedMax } = this.#limits
    const countFetching = () => this.#waiting.filter(({ state }) => state === 'fetching').length
    while (this.#next <= this.#last && this.#waiting.length < queuedMax && countFetching() < concurrency)
      this.#waiting.push(this.#begin(this.#next++))
  }

  #begin(number: number): QueuedFetch {
    const waiting: QueuedFetch = { number, result: this.#fetch(number), state: 'fetching' }
    const setState = (state: QueuedFetch['state']) => () => {
      waiting.state = state
      this.#fill()
    }
    waiting.result.then(setState('done'), setState('failed'))
    return waiting
  }
}
