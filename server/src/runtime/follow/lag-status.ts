import type { SourceState } from '../../store/core/tables.ts'
import type { Silence } from './pace/block-time.ts'

/** What a step shows about a source whose node answers. */
export type Observed = {
  lag: number
  /** A source that is more blocks behind than this is lagging. */
  laggingBeyond: number
  wasLagging: boolean
  /** A long time without a new block. */
  silence: Silence | undefined
  /** Why the source cannot be faster, if its endpoints limit it. */
  limit: string | undefined
}
/** A source of which too little is known to call it lagging keeps running, and says since when its head stands still. */
export type LagStatus = { status: Extract<SourceState, 'running' | 'lagging'>; message?: string }

/** Lagging begins beyond the limit and ends at half of it, so that a source near the limit does not flap. */
export function lagStatusOf({ lag, laggingBeyond, wasLagging, silence, limit }: Observed): LagStatus {
  if (lag > (wasLagging ? laggingBeyond / 2 : laggingBeyond)) {
    const behind = `${lag} blocks behind the head.`
    return { status: 'lagging', message: limit === undefined ? behind : `${behind} ${limit}` }
  }
  if (silence === undefined) return { status: 'running' }
  const seconds = Math.floor(silence.ms / 1000)
  if (!silence.mayBeUsual) return { status: 'lagging', message: `No new block for ${seconds} s` }
  // Whole minutes, so that a chain that rests does not change its row every few seconds.
  const long = seconds < 120 ? 'about a minute' : `${Math.floor(seconds / 60)} minutes`
  return { status: 'running', message: `No new block for ${long}. How often this chain makes blocks is not known yet.` }
}
