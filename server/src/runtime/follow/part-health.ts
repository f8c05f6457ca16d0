import type { BlockPart, ChainBlock, UnreadablePart } from '../../engine/sources/block.ts'
import type { LostPart } from '../../store/core/tables.ts'
import type { FollowerLease } from '../../store/following/followers.ts'
import type { Store } from '../../store/index.ts'
import type { LogLine } from './source-report.ts'

/** The block since which a part has been readable, or unreadable if `lost` is set. */
type PartState = { since: number; lost?: LostPart }
type States = ReadonlyMap<string, PartState>
/** A block and the parts that were requested with it. */
export type ReadBlock = { block: ChainBlock; parts: readonly BlockPart[] }
/** The states after some blocks, and the parts that were requested with them. They count once the commit of these blocks is done. */
export type PartsChange = { states: States; requested: ReadonlySet<string>; lines: readonly LogLine[] }

/**
 * Tracks which parts of a source's blocks are readable. The commit of the first block with an unreadable part sets the
 * triggers that need the part to broken. The commit of the first block that has the part again ends that, also if another
 * process committed the blocks between. Other triggers are not affected.
 */
export class PartHealth {
  readonly #lease: FollowerLease
  #states = new Map<string, PartState>()
  #isLoaded = false

  constructor(lease: FollowerLease) {
    this.#lease = lease
  }

  /** Reads which parts were unreadable in the last committed blocks. The first call comes before the first `check`. */
  async load(store: Store): Promise<void> {
    if (this.#isLoaded) return
    const known = (await store.followers.find(this.#lease.source))?.state.unreadable ?? []
    for (const lost of known) if (lost.since !== undefined) this.#states.set(lost.part, { since: lost.since, lost })
    this.#isLoaded = true
  }

  check(blocks: readonly ReadBlock[]): PartsChange {
    const { source } = this.#lease
    const states = new Map(this.#states)
    const lines: LogLine[] = []
    for (const { block, parts } of blocks)
      for (const part of parts.filter((part) => !block.empty?.includes(part))) {
        const unreadable = block.unreadable?.find((each) => each.part === part)
        const before = states.get(part)
        const { number } = block
        if (unreadable) {
          // After a reorg the part may be missing in earlier blocks too.
          const since = before?.lost ? Math.min(before.since, number) : number
          if (before?.lost && since === before.since) continue
          states.set(part, { since, lost: lostPart(source, unreadable, since) })
          lines.push(unreadableLine(number, unreadable))
        } else if (!before || before.lost) {
          states.set(part, { since: number })
          if (before) lines.push(readableLine(part, before.since, number))
        }
      }
    return { states, requested: new Set(blocks.flatMap(({ parts }) => parts)), lines }
  }

  /** True if the blocks of this change must be committed at once: a requested part is unreadable, or its state is new. */
  mustWrite({ states, requested }: PartsChange): boolean {
    const isNew = (part: string, since: number) => this.#states.get(part)?.since !== since
    return [...states].some(([part, { since, lost }]) => (lost && requested.has(part)) || isNew(part, since))
  }

  /** Runs for every block while a part is unreadable, because triggers may have been saved since the first one. */
  async write(store: Store, { states }: PartsChange, at: Date): Promise<void> {
    const { source } = this.#lease
    const changed = [...states].filter(([part, { since }]) => this.#states.get(part)?.since !== since)
    for (const [part, { lost }] of states) {
      if (lost) await store.triggerStatuses.breakByPart(source, lost, at)
      else if (changed.some(([each]) => each === part)) await store.triggerStatuses.restoreByPart(source, part, at)
    }
    if (changed.length > 0) await this.#remember(store, states)
  }

  /** Triggers that are saved later learn it from the store, even if no further block comes; so does the next process. */
  async #remember(store: Store, states: States): Promise<void> {
    const known = (await store.followers.find(this.#lease.source))?.state.unreadable ?? []
    const others = known.filter((lost) => ![...states.keys()].some((part) => part === lost.part))
    const lost = [...states.values()].flatMap(({ lost }) => lost ?? [])
    if (known.length + lost.length > 0)
      await store.followers.setState(this.#lease, { unreadable: [...others, ...lost] })
  }

  keep({ states }: PartsChange): void {
    this.#states = new Map(states)
  }
}

/** `since` is the first block without the part; absent if the nodes refuse the part for every block. */
export function lostPart(source: string, lost: UnreadablePart, since?: number): LostPart {
  const { part, reason, stillMatches, specTypes, specFlag } = lost
  const effect = stillMatches ?? 'the trigger matches nothing'
  const when = since === undefined ? ['', ''] : [` since block ${since}`, ' since then']
  const issue = `The ${nameOf(part)} of "${source}" cannot be read${when[0]}, so ${effect}${when[1]}: ${reason}`
  return { part, specTypes, specFlag, issue, since, ...(stillMatches !== undefined && { isLimit: true }) }
}

/** The name of a part in sentences. */
function nameOf(part: string): string {
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

/** The endpoints were verified anew, so it is not known yet whether the part can be read. */
export function lostBlocksLine(part: string, from: number, to: number): LogLine {
  const name = nameOf(part)
  const message = `The endpoints were checked again. Blocks ${from} to ${to} gave nothing to triggers on ${name}.`
  return { level: 'info', message, details: { from, to, part } }
}

function readableLine(part: BlockPart, from: number, number: number): LogLine {
  const name = nameOf(part)
  const again = `The ${name} can be read again from block ${number}`
  // After a reorg the blocks without the part are no longer on the chain.
  if (number <= from) return { level: 'info', message: `${again}.`, details: { part } }
  const message = `${again}; blocks ${from} to ${number - 1} gave nothing to triggers on ${name}.`
  return { level: 'info', message, details: { from, to: number - 1, part } }
}
