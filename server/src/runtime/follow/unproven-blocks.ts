import type { ChainBlock } from '../../engine/sources/block.ts'
import type { LogLine } from './source-report.ts'

/** After the first line, the blocks of this time share one. */
const sharedMs = 10 * 60_000
/** The status names the last such block for this time. */
const shownMs = 60 * 60_000

/**
 * Blocks that count although they failed a check, because all nodes went on to answer the same. The source's log and its status
 * name them, with the reason.
 */
export class UnprovenBlocks {
  readonly #now: () => number
  #lineAt = Number.NEGATIVE_INFINITY
  #last: { at: number; message: string } | undefined
  #untold = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** The message of a running source's status; undefined if there is none. */
  get message(): string | undefined {
    return this.#last && this.#now() - this.#last.at < shownMs ? this.#last.message : undefined
  }

  /** The line for the source's log; undefined if none is due. */
  note(blocks: readonly ChainBlock[]): LogLine | undefined {
    const unproven = blocks.filter(({ doubt }) => doubt !== undefined)
    const last = unproven.at(-1)
    if (!last) return undefined
    const reason = `Block ${last.number} counts without a proof that it is complete. ${last.doubt ?? ''}`
    this.#last = { at: this.#now(), message: reason }
    this.#untold += unproven.length
    if (this.#now() - this.#lineAt < sharedMs) return undefined
    this.#lineAt = this.#now()
    const count = this.#untold
    this.#untold = 0
    const message =
      count > 1 ? `${count} blocks count without a proof that they are complete. The last one: ${reason}` : reason
    return { level: 'warn', message, details: { block: last.number, blocks: count } }
  }
}
