import type { SourceState } from '../../store/core/tables.ts'

/** What is known of a source that its follower can read. */
export type Seen = {
  lag: number
  /** Further behind the head than this is lagging. */
  laggingBeyond: number
  wasLagging: boolean
  /** How long there has been no new block, if that is longer than usual for the chain. */
  silentMs: number | undefined
  /** Why the source cannot be faster, where its endpoints limit it. */
  limit: string | undefined
}
/** `message` is for the status; a source that is well has none. */
export type Standing = { to: Extract<SourceState, 'running' | 'lagging'>; message?: string }

/** Lagging begins beyond the limit and ends at half of it, so that a source near the limit does not flap. */
export function standingOf({ lag, laggingBeyond, wasLagging, silentMs, limit }: Seen): Standing {
  if (lag > (wasLagging ? laggingBeyond / 2 : laggingBeyond)) {
    const behind = `${lag} blocks behind the head.`
    return { to: 'lagging', message: limit === undefined ? behind : `${behind} ${limit}` }
  }
  if (silentMs !== undefined) return { to: 'lagging', message: `No new block for ${Math.floor(silentMs / 1000)} s` }
  return { to: 'running' }
}
