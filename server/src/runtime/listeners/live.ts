import type { SpecItems } from '../../engine/sources/raw-items.ts'
import type { Listener, LiveTrigger } from './listener.ts'

/** Where a trigger's items come from. */
export type Feed =
  | { kind: 'source'; source: string; items: SpecItems }
  | { kind: 'timer'; intervalMs: number }
  /** Outputs of another trigger, or the events of a trigger or source; `values` must be in an item for it to count. */
  | { kind: 'stream'; stream: string; values: Record<string, unknown> }
  /** It names nothing to listen to, or cannot be made ready. */
  | { kind: 'none'; problem?: string }

/** A live trigger with what only the loops that feed it look at. */
export type Live = LiveTrigger & {
  listeners: Map<string, Listener>
  feed: Feed
  /** Whether everybody may read its project, and so listen to its outputs. */
  isPublic: boolean
  /** Somebody's trigger listens to its outputs, so it runs for all of its items. */
  hasDependents: boolean
  /** Since when anybody listens, in milliseconds: a timer's first tick comes after it. */
  since: number
}
