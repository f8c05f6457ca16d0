import type { HistoryRow } from '../../../store/alerts/histories.ts'

/** A head that the follower has not seen after this time is not on the chain that it follows. */
const lateMs = 60_000

/**
 * A history does not end before the head of the chain when its subscription began: the follower may not have applied that
 * block yet, and it is a past one. The head may also never come: the node was wrong, or the chain became shorter.
 */
export class HeadWait {
  readonly #now: () => number
  #missingSince: number | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** `head` is the latest one that the follower has seen. Blocks up to it will be applied, however long that takes. */
  mustWait({ fetched, to }: Pick<HistoryRow, 'fetched' | 'to'>, head: number): boolean {
    if (fetched >= to) return false
    if (head >= to) {
      this.#missingSince = undefined
      return true
    }
    this.#missingSince ??= this.#now()
    return this.#now() - this.#missingSince < lateMs
  }
}
