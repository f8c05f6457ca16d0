import type { ChainHead } from '../../../engine/follow-core/chain.ts'

/** The node's own head is read this often while its heads are announced. */
const ownReadMs = 5_000
/** An announcement may be this much later than a read that found the same block. */
const lateMinMs = 1_000
/** A single late announcement is usual. */
const [latesMin, inTimeMin] = [2, 3]

export type Announcement = 'in time' | 'late' | 'repeated'

/**
 * Heads that a node announces over a web socket are hints. A head above the known one is used at once. An older one is not
 * used, and another block of the same number only makes the service read the node's own head. The own head is read every
 * 5 s in any case. If two announcements in a row are of blocks that were known for a second, the socket is late: until
 * three are in time again, the head is read as if nothing was announced.
 */
export class AnnouncedHeads {
  readonly #now: () => number
  #pending: ChainHead | undefined
  #mustRead = false
  #known: { number: number; hash?: string | undefined; seenAt: number } | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #lates = 0
  #inTime = 0
  #isLate = false

  constructor(now: () => number) {
    this.#now = now
  }

  get isLate(): boolean {
    return this.#isLate
  }

  get known(): number | undefined {
    return this.#known?.number
  }

  /** True if there is a reason to read the head now. */
  get hasNew(): boolean {
    return this.#pending !== undefined || this.#mustRead
  }

  /** The time until the node's own head must be read. */
  get leftMs(): number {
    return Math.max(0, this.#readAt + ownReadMs - this.#now())
  }

  announce(head: ChainHead): Announcement {
    const known = this.#known
    if (!known || head.number > known.number) {
      if (head.number >= (this.#pending?.number ?? 0)) this.#pending = head
      this.#note('in time')
      return 'in time'
    }
    const isOther = head.number === known.number && (head.hash === undefined || head.hash !== known.hash)
    const isLate = this.#now() - known.seenAt > lateMinMs
    // Without hashes every announcement of the known number may be of another block.
    if (isOther && (head.hash !== undefined || !isLate)) {
      this.#mustRead = true
      return 'repeated'
    }
    if (isLate) this.#note('late')
    return isLate ? 'late' : 'repeated'
  }

  /** The announced head, once. Undefined if there is none, or if the node's own head must be read. */
  take(): ChainHead | undefined {
    const pending = this.#pending
    this.#pending = undefined
    this.#mustRead = false
    return pending
  }

  /** Records the head that is used now; `isOwn` if the node was asked for it. */
  record({ number, hash }: ChainHead, isOwn: boolean): void {
    const now = this.#now()
    if (isOwn) this.#readAt = now
    const known = this.#known
    const isSame = known?.number === number && known.hash === hash
    if (!isSame) this.#known = { number, hash, seenAt: now }
    if (this.#pending && this.#pending.number <= number) this.#pending = undefined
  }

  #note(found: 'in time' | 'late'): void {
    this.#lates = found === 'late' ? this.#lates + 1 : 0
    this.#inTime = found === 'late' ? 0 : this.#inTime + 1
    if (this.#lates >= latesMin) this.#isLate = true
    if (this.#inTime >= inTimeMin) this.#isLate = false
  }
}
