import type { ChainBlock } from '../sources/block.ts'

export type LookaheadLimits = {
  /** Blocks that are fetched at once. */
  concurrency: number
  /** Blocks that are fetched, or being so, and not taken yet. */
  queuedMost: number
}
type Fetch = (number: number) => Promise<ChainBlock | undefined>
export type Numbered = { number: number; block: ChainBlock | undefined }
type Waiting = { number: number; done: Promise<ChainBlock | undefined>; state: 'under way' | 'done' | 'failed' }

/**
 * Blocks fetched ahead of whoever takes them in order, so that a node's latency is paid once and not for each. A block
 * whose fetch failed is fetched again, by itself: those after it are kept.
 */
export class Lookahead {
  readonly #fetch: Fetch
  readonly #limits: LookaheadLimits
  #waiting: Waiting[] = []
  #next = 0
  #last = -1

  constructor(fetch: Fetch, limits: LookaheadLimits) {
    this.#fetch = fetch
    this.#limits = limits
  }

  /** What was fetched for another place is thrown away. */
  aim(from: number, to: number): void {
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
   * The next one, once it is there, and those after it that are there already. Empty when nothing is aimed at. Throws
   * when the next one cannot be fetched.
   */
  async take(most: number): Promise<Numbered[]> {
    const [first] = this.#waiting
    if (!first) return []
    await first.done
    const taken: Numbered[] = []
    for (let next = this.#waiting[0]; next?.state === 'done' && taken.length < most; next = this.#waiting[0]) {
      taken.push({ number: next.number, block: await next.done })
      this.#waiting.shift()
    }
    this.#fill()
    return taken
  }

  #fill(): void {
    const { concurrency, queuedMost } = this.#limits
    const underWay = () => this.#waiting.filter(({ state }) => state === 'under way').length
    while (this.#next <= this.#last && this.#waiting.length < queuedMost && underWay() < concurrency)
      this.#waiting.push(this.#begin(this.#next++))
  }

  #begin(number: number): Waiting {
    const waiting: Waiting = { number, done: this.#fetch(number), state: 'under way' }
    const settle = (state: Waiting['state']) => () => {
      waiting.state = state
      this.#fill()
    }
    waiting.done.then(settle('done'), settle('failed'))
    return waiting
  }
}
