import { waitAtMost } from '../base/deadline.ts'

/** A smaller block waits for nothing: its memory is not worth a delay. */
const smallBytes = 250_000

/**
 * Limits the memory of blocks for all sources of a process together. After a pause of the service all of them are behind; if
 * each had limits of its own, the memory would grow with their number.
 *
 * - Blocks that are fetched, or being fetched, are counted until they are applied. While they need more than `bytesMax`, no
 *   source reads ahead, and the next block of a source is fetched when it is its turn.
 * - Batches of blocks are applied one at a time: their matches and alerts need several times the memory of the blocks.
 *
 * A node that does not answer delays the other sources only a little: a source waits for room for at most `roomMsMax`, and a
 * batch that takes longer than `batchMsMax` makes way for the next.
 */
export class BlockMemory {
  readonly #bytesMax: number
  readonly #roomMsMax: number
  readonly #batchMsMax: number
  #bytes = 0
  /** Each grants room to a block that waits for it. */
  readonly #waitingForRoom = new Set<() => void>()
  #isApplying = false
  readonly #waitingAtHead: (() => void)[] = []
  readonly #waitingBehind: (() => void)[] = []

  constructor({ bytesMax = 8_000_000, roomMsMax = 1_000, batchMsMax = 2_000 } = {}) {
    this.#bytesMax = bytesMax
    this.#roomMsMax = roomMsMax
    this.#batchMsMax = batchMsMax
  }

  /** Counts a block of this size if there is room for it, and nobody waits for room. */
  tryCount(bytes: number): boolean {
    if (this.#waitingForRoom.size > 0 || this.#bytes + bytes > this.#bytesMax) return false
    this.#bytes += bytes
    return true
  }

  /** Counts a block of this size at once, or returns the wait for the room that it needs. */
  count(bytes: number): Promise<void> | undefined {
    if (this.tryCount(bytes)) return undefined
    if (bytes > smallBytes) return this.#waitForRoom(bytes)
    this.#bytes += bytes
    return undefined
  }

  /** Corrects what was counted: the size of a block is known, or it is no longer read ahead. */
  change(bytes: number): void {
    this.#bytes += bytes
    for (const grant of this.#waitingForRoom) {
      if (this.#bytes >= this.#bytesMax) return
      grant()
    }
  }

  /** Applies a batch of blocks when it is its turn. A block at the head of its chain goes before blocks of sources that are behind. */
  async runBatch<T>(apply: () => Promise<T>, { bytes, isAtHead }: { bytes: number; isAtHead: boolean }): Promise<T> {
    if (isAtHead && bytes <= smallBytes) return apply()
    const waiting = isAtHead ? this.#waitingAtHead : this.#waitingBehind
    if (this.#isApplying) await new Promise<void>((resolve) => waiting.push(resolve))
    this.#isApplying = true
    const applied = apply()
    await waitAtMost(
      applied.catch(() => undefined),
      this.#batchMsMax,
    )
    this.#startNext()
    return applied
  }

  #waitForRoom(bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const grant = () => {
      clearTimeout(timer)
      this.#waitingForRoom.delete(grant)
      this.#bytes += bytes
      resolve()
    }
    const timer = setTimeout(grant, this.#roomMsMax)
    this.#waitingForRoom.add(grant)
    return promise
  }

  /** The turn passes on without being free in between. */
  #startNext(): void {
    const next = this.#waitingAtHead.shift() ?? this.#waitingBehind.shift()
    if (next) next()
    else this.#isApplying = false
  }
}
