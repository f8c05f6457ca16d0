import type { BlockPart, ChainBlock, UnreadablePart } from '../../engine/sources/block.ts'
import type { Store } from '../../store/index.ts'
import type { LogLine } from './source-report.ts'

/** Since which block a part is as it is; `lack` where it cannot be read. */
type PartState = { since: number; lack?: UnreadablePart }
type States = ReadonlyMap<BlockPart, PartState>
/** A block with the parts that were wanted of it. */
export type ReadBlock = { block: ChainBlock; parts: readonly BlockPart[] }
/** What some blocks change: it holds once their commit is done. */
export type PartsChange = { states: States; lines: readonly LogLine[] }

/**
 * Which parts of a source's blocks can be read. A part that cannot breaks the triggers that need it, in the commit of its
 * first block, and mends them in that of the first block that has it again. All other triggers go on.
 */
export class PartHealth {
  readonly #source: string
  #states: States = new Map()

  constructor(source: string) {
    this.#source = source
  }

  look(blocks: readonly ReadBlock[]): PartsChange {
    const states = new Map(this.#states)
    const lines: LogLine[] = []
    for (const { block, parts } of blocks)
      for (const part of parts.filter((part) => !block.empty?.includes(part))) {
        const lack = block.unreadable?.find((each) => each.part === part)
        const before = states.get(part)
        if (before && Boolean(before.lack) === Boolean(lack)) continue
        states.set(part, { since: block.number, ...(lack && { lack }) })
        if (lack) lines.push(lostLine(block.number, lack))
        else if (before) lines.push(backLine(part, before.since, block.number))
      }
    return { states, lines }
  }

  /** Whoever was saved since the part was lost is broken by the next block, too. */
  async write(store: Store, { states }: PartsChange, at: Date): Promise<void> {
    for (const [part, { since, lack }] of states) {
      if (lack) await store.triggerStatuses.breakByPart(this.#source, { ...lack, issue: this.#issue(since, lack) }, at)
      else if (this.#states.get(part)?.since !== since)
        await store.triggerStatuses.restoreByPart(this.#source, part, at)
    }
  }

  keep({ states }: PartsChange): void {
    this.#states = states
  }

  #issue(since: number, { part, reason }: UnreadablePart): string {
    return `The ${part} of "${this.#source}" cannot be read since block ${since}, so nothing is delivered from there on: ${reason}`
  }
}

function lostLine(number: number, { part, reason }: UnreadablePart): LogLine {
  const message = `The ${part} of block ${number} cannot be read, so triggers on ${part} are broken; the others go on. ${reason}`
  return { level: 'error', message, details: { block: number, part } }
}

function backLine(part: BlockPart, from: number, number: number): LogLine {
  const message = `The ${part} can be read again from block ${number}; blocks ${from} to ${number - 1} gave nothing to triggers on ${part}.`
  return { level: 'info', message, details: { from, to: number - 1, part } }
}
