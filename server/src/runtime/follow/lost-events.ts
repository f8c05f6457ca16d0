import type { LostEvents } from '../../engine/sources/raw-items.ts'
import type { LogLine } from './source-report.ts'

/** The transactions of a block that one line names. */
const namedMax = 5
/** A chain may cut logs in every block, so only so many blocks get a line in this time. The next line counts the others. */
const [linesMax, periodMs] = [10, 10 * 60_000]

/** Lines for the source's log about transactions whose events cannot be seen: one for each block, but not without end. */
export class LostEventLines {
  readonly #now: () => number
  #period = { startedAt: Number.NEGATIVE_INFINITY, lines: 0, left: 0 }

  constructor(now: () => number) {
    this.#now = now
  }

  lineOf(block: number, lost: readonly LostEvents[]): LogLine | undefined {
    const [first] = lost
    if (!first) return undefined
    const now = this.#now()
    const isNew = now - this.#period.startedAt >= periodMs
    const left = isNew ? this.#period.left : 0
    if (isNew) this.#period = { startedAt: now, lines: 0, left: 0 }
    if (this.#period.lines >= linesMax) {
      this.#period.left += 1
      return undefined
    }
    this.#period.lines += 1
    const named = lost.slice(0, namedMax).map(({ transaction }) => transaction)
    const more = lost.length > named.length ? ` and ${lost.length - named.length} more` : ''
    const others = left > 0 ? ` ${left} blocks before it had such transactions too.` : ''
    const message = `Block ${block}: events may be missing of ${named.join(', ')}${more}, because ${first.reason}.${others}`
    return { level: 'warn', message, details: { code: 'events_lost', block, transactions: lost.length } }
  }
}
