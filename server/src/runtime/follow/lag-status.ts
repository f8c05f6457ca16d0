import type { SourceState } from '../../store/core/tables.ts'

/** What a step shows about a source whose node answers. */
export type Observed = {
  lag: number
  /** A source that is more blocks behind than this is lagging. */
  laggingBeyond: number
  wasLagging: boolean
  /** The time without a new block, if it is longer than usual for the chain. */
  silentMs: number | undefined
  /** Why the source cannot be faster, if its endpoints limit it. */
  limit: string | undefined
}
/** A running source has no message. */
export type LagStatus = { status: Extract<SourceState, 'running' | 'lagging'>; message?: string }

/** Lagging begins beyond the limit and ends at half of it, so that a source near the limit does not flap. */
export function lagStatusOf({ lag, laggingBeyond, wasLagging, silentMs, limit }: Observed): LagStatus {
  if (lag > (wasLagging ? laggingBeyond / 2 : laggingBeyond)) {
    const behind = `${lag} blocks behind the head.`
    return { status: 'lagging', message: limit === undefined ? behind : `${behind} ${limit}` }
  }
  if (silentMs !== undefined) return { status: 'lagging', message: `No new block for ${Math.floor(silentMs / 1000)} s` }
  return { status: 'running' }
}
