import type { ChainHead } from '../../engine/follow-core/index.ts'

/** The head and the finalized block as a checkpoint stores them. */
export type Horizon = { head: number; headAt: Date | null; finalized: number | null }

/** The latest head of a source, when it was first seen, and up to which block the chain is final. */
export class Progress {
  readonly #clock: () => Date
  #head: ChainHead | undefined
  #headAt: Date | null = null
  finalized: number | null = null

  constructor(clock: () => Date) {
    this.#clock = clock
  }

  get head(): ChainHead | undefined {
    return this.#head
  }

  get headAt(): Date | null {
    return this.#headAt
  }

  setHead(head: ChainHead): void {
    if (head.number !== this.#head?.number) this.#headAt = this.#clock()
    this.#head = head
  }

  get horizon(): Horizon {
    return { head: this.#head?.number ?? 0, headAt: this.#headAt, finalized: this.finalized }
  }
}
