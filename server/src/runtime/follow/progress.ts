import type { ChainHead } from '../../engine/follow-core/chain.ts'

/** The head, the finalized block and the time up to which everything was read, as a checkpoint stores them. */
export type Horizon = { head: number; headAt: Date | null; finalized: number | null; readAt?: Date | null }

/** The latest head of a source, when it was first seen, and up to which block the chain is final. */
export class Progress {
  readonly #clock: () => Date
  #head: ChainHead | undefined
  #headAt: Date | null = null
  finalized: number | null = null
  /** Every block that the node had at this time was applied. Null if that is not known since an undo or the start. */
  readAt: Date | null = null

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
    const { finalized, readAt } = this
    return { head: this.#head?.number ?? 0, headAt: this.#headAt, finalized, readAt }
  }
}
