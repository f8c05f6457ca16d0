import type { BlockPart, ChainBlock, UnreadablePart } from '../../engine/sources/block.ts'
import type { Store } from '../../store/index.ts'
import type { LogLine } from './source-report.ts'

/** The block since which a part has been readable, or unreadable if `unreadable` is set. */
type PartState = { since: number; unreadable?: UnreadablePart }
type States = ReadonlyMap<BlockPart, PartState>
/** A block and the parts that were requested with it. */
export type ReadBlock = { block: ChainBlock; parts: readonly BlockPart[] }
/** The states after some blocks. They count once the commit of these blocks is done. */
export type PartsChange = { states: States; lines: readonly LogLine[] }

/**
 * Tracks which parts of a source's blocks are readable. The commit of the first block with an unreadable part sets the
 * triggers that need the part to broken. The commit of the first block that has the part again ends that. Other triggers
 * are not affected.
 */
export class PartHealth {
  readonly #source: string
  #states: States = new Map()

  constructor(source: string) {
    this.#source = source
  }

  check(blocks: readonly ReadBlock[]): PartsChange {
    const states = new Map(this.#states)
    const lines: LogLine[] = []
    for (const { block, parts } of blocks)
      for (const part of parts.filter((part) => !block.empty?.includes(part))) {
        const unreadable = block.unreadable?.find((each) => each.part === part)
        const before = states.get(part)
        if (before && Boolean(before.unreadable) === Boolean(unreadable)) continue
        states.set(part, { since: block.number, ...(unreadable && { unreadable }) })
        if (unreadable) lines.push(unreadableLine(block.number, unreadable))
        else if (before) lines.push(readableLine(part, before.since, block.number))
      }
    return { states, lines }
  }

  /** True if the blocks of this change must be committed at once: a part is unreadable, or its state is new. */
  mustWrite({ states }: PartsChange): boolean {
    return [...states].some(([part, { since, unreadable }]) => unreadable || this.#states.get(part)?.since !== since)
  }

  /** Runs for every block while a part is unreadable, because triggers may have been saved since the first one. */
  async write(store: Store, { states }: PartsChange, at: Date): Promise<void> {
    for (const [part, { since, unreadable }] of states) {
      if (unreadable) {
        const issue = this.#issue(since, unreadable)
        await store.triggerStatuses.breakByPart(this.#source, { ...unreadable, issue }, at)
      } else if (this.#states.get(part)?.since !== since)
        await store.triggerStatuses.restoreByPart(this.#source, part, at)
    }
  }

  keep({ states }: PartsChange): void {
    this.#states = states
  }

  #issue(since: number, { part, reason }: UnreadablePart): string {
    return `The ${part} of "${this.#source}" cannot be read since block ${since}, so the trigger matches nothing since then: ${reason}`
  }
}

function unreadableLine(number: number, { part, reason }: UnreadablePart): LogLine {
  const message = `The ${part} of block ${number} cannot be read, so triggers on ${part} are broken; other triggers are not affected. ${reason}`
  return { level: 'error', message, details: { block: number, part } }
}

function readableLine(part: BlockPart, from: number, number: number): LogLine {
  const message = `The ${part} can be read again from block ${number}; blocks ${from} to ${number - 1} gave nothing to triggers on ${part}.`
  return { level: 'info', message, details: { from, to: number - 1, part } }
}
