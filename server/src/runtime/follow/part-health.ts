import type { BlockPart, ChainBlock, UnreadablePart } from '../../engine/sources/block.ts'
import type { LostPart } from '../../store/core/tables.ts'
import type { FollowerLease } from '../../store/following/followers.ts'
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
  readonly #lease: FollowerLease
  #states: States = new Map()

  constructor(lease: FollowerLease) {
    this.#lease = lease
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
    const { source } = this.#lease
    const changed = [...states].filter(([part, { since }]) => this.#states.get(part)?.since !== since)
    for (const [part, { since, unreadable }] of states) {
      if (unreadable) await store.triggerStatuses.breakByPart(source, lostPart(source, unreadable, since), at)
      else if (changed.some(([each]) => each === part)) await store.triggerStatuses.restoreByPart(source, part, at)
    }
    if (changed.length > 0) await this.#remember(store, states)
  }

  /** Triggers that are saved later learn it from the store, even if no further block comes. */
  async #remember(store: Store, states: States): Promise<void> {
    const { source } = this.#lease
    const known = (await store.followers.find(source))?.state.unreadable ?? []
    const others = known.filter((lost) => ![...states.keys()].some((part) => part === lost.part))
    const lost = [...states.values()].flatMap(({ since, unreadable }) =>
      unreadable ? lostPart(source, unreadable, since) : [],
    )
    if (known.length + lost.length > 0)
      await store.followers.setState(this.#lease, { unreadable: [...others, ...lost] })
  }

  keep({ states }: PartsChange): void {
    this.#states = states
  }
}

/** `since` is the first block without the part; absent if the nodes refuse the part for every block. */
export function lostPart(source: string, lost: UnreadablePart, since?: number): LostPart {
  const { part, reason, stillMatches, specTypes, specFlag } = lost
  const effect = stillMatches ?? 'the trigger matches nothing'
  const when = since === undefined ? ['', ''] : [` since block ${since}`, ' since then']
  const issue = `The ${nameOf(part)} of "${source}" cannot be read${when[0]}, so ${effect}${when[1]}: ${reason}`
  return { part, specTypes, specFlag, issue, ...(stillMatches !== undefined && { isLimit: true }) }
}

/** The name of a part in sentences. */
function nameOf(part: BlockPart): string {
  return part === 'any_traces' ? 'traces' : part
}

function unreadableLine(number: number, { part, reason, stillMatches }: UnreadablePart): LogLine {
  const what = `The ${nameOf(part)} of block ${number} cannot be read`
  const details = { block: number, part }
  if (stillMatches === undefined) {
    const message = `${what}, so triggers on ${part} are broken; other triggers are not affected. ${reason}`
    return { level: 'error', message, details }
  }
  return {
    level: 'warn',
    message: `${what}. Of a trigger that can do without them: ${stillMatches}. ${reason}`,
    details,
  }
}

function readableLine(part: BlockPart, from: number, number: number): LogLine {
  const name = nameOf(part)
  const message = `The ${name} can be read again from block ${number}; blocks ${from} to ${number - 1} gave nothing to triggers on ${name}.`
  return { level: 'info', message, details: { from, to: number - 1, part } }
}
