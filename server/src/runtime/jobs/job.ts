import type { SourceItem } from '../../engine/base/source-item.ts'

/** What travels as jobs between the loops. Everything in them is JSON, and an older or newer process may read it. */

export type Match = {
  /** Names the item within its block and incarnation: alert ids are made from it. */
  key: string
  item: SourceItem
  /** Keys of the listeners that it concerns. */
  listeners: string[]
  /** Set where a run for these listeners alone is tried again: whoever listens to the outputs has them already. */
  isRetryFor?: 'listeners'
}

/** Some matches of one trigger in one block, or of one tick, or of one output of another trigger. */
export type EvaluateJob = {
  triggerId: string
  /** The data source; null for timers and for what no block stands behind. */
  source: string | null
  block: { number: number; hash: string; timestampMs: number; incarnation: number } | null
  /** When it happened, as scripts and policies see it. */
  nowMs: number
  matches: Match[]
  /** How many triggers it came through: a ring of triggers ends somewhere. */
  depth: number
  /** How often these matches were tried before, because something on the way was down. */
  attempt?: number
}

/** There may be something to send to this resource. */
export type DeliverJob = { resourceId: string }

/** A subscription's policy waits for this moment: a digest is full, a warm-up is over. */
export type PolicyJob = { subscriptionId: string; ruleId: string; key: string }
