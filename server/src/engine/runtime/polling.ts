/** How long to wait for the next head: a part of the usual time between two, unless a node tells of them by itself. */
export class Polling {
  readonly #now: () => number
  #averageMs = 2_000
  #head = -1
  #seenAt: number

  constructor(now: () => number) {
    this.#now = now
    this.#seenAt = now()
  }

  see(head: number): void {
    if (head <= this.#head) return
    const blocks = this.#head < 0 ? 0 : head - this.#head
    const tookMs = this.#now() - this.#seenAt
    if (blocks > 0) this.#averageMs += (Math.min(60_000, tookMs / blocks) - this.#averageMs) / 4
    this.#head = head
    this.#seenAt = this.#now()
  }

  waitMs(areHeadsTold: boolean): number {
    return areHeadsTold ? toldMs : Math.min(mostMs, Math.max(leastMs, this.#averageMs / 4))
  }
}

/** A stream of heads may have died without a word. */
const toldMs = 5_000
const leastMs = 250
const mostMs = 2_000
