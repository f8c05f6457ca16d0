import type { ParkedRun } from '../../engine/providers/index.ts'
import type { RecordedRuns } from '../../store/alerts/histories.ts'
import type { NewJob } from '../../store/jobs/jobs.ts'
import type { ItemMatch } from '../listeners/match-collector.ts'

/** The data of jobs. It is JSON, and a process of an older or newer version may read it. */

/** The key of the item is unique within its block and incarnation; alert ids are made from it. */
export type Match = ItemMatch & {
  /** Set if only these listeners need a run: the triggers that listen to the outputs already have them. */
  isRetryFor?: 'listeners'
  /** The state of the run, if it waited for a provider. */
  parked?: ParkedRun
}

/** One chunk: some matches of one trigger from one block, one timer tick, or the outputs of another trigger. */
export type EvaluateJob = {
  triggerId: string
  /** The data source; null for timers and events, which have no block. */
  source: string | null
  block: { number: number; hash: string; timestampMs: number; incarnation: number } | null
  /** The time of the items, as scripts and policies see it. */
  nowMs: number
  matches: Match[]
  /** The number of triggers that the items came through; it limits loops of triggers. */
  depth: number
  /** The items are from the history of one subscription, whose alerts are sent or only listed. */
  backfill?: Backfill
  /** The number of earlier attempts that failed for a transient reason. A claim whose process died is none. */
  attempt?: number
  /** How many of them failed because this machine had no time for them. */
  overloads?: number
}

export type Backfill = { delivers: boolean }

/**
 * A part of a subscription's history: the chunks of the blocks up to `upTo`, in the order of the chain. It is in the queue of
 * ordered jobs. All chunks and the progress of the history are one commit.
 */
export type HistoryJob = { history: HistoryPart; chunks: HistoryChunk[] }
export type HistoryChunk = EvaluateJob & { block: NonNullable<EvaluateJob['block']> }
export type HistoryPart = { subscriptionId: string; generation: number; upTo: number }

/** A wake-up: these resources may have due deliveries. */
export type DeliverJob = { resourceIds: string[] }

/** The timer of a subscription's policy: a digest is due or full, or a warm-up is over. */
export type PolicyJob = { subscriptionId: string; ruleId: string; key: string }

/** The states of some keys are due at this time. A job names no key: it handles all that are due then. */
export type DueStatesJob = { dueMs: number }

/** A subscription was saved or resumed: the time without an output counts from now. */
export type BeginJob = { beginSubscription: string }

/** A reorg took back alerts of these subscriptions that fire or resolve: their states may have lost the timer that they need. */
export type RetractedJob = { retractedOf: string[] }

/**
 * The runs of a block that are recorded while others of the same block wait for a provider. `ran` are the chunks of the job
 * up to the one that waits, `waiting` is what is left of that one.
 */
export function recordedRuns(ran: readonly HistoryChunk[], waiting: HistoryChunk): RecordedRuns {
  const { number, hash, incarnation } = waiting.block
  const left = new Set(runsOf(waiting))
  const runs = ran.filter(({ block }) => block.hash === hash).flatMap(runsOf)
  return { number, hash, incarnation, runs: runs.filter((run) => !left.has(run)) }
}

/** Leaves out the matches that an earlier generation of the history has recorded. Undefined if none is left. */
export function withoutRecorded(chunk: HistoryChunk, recorded: RecordedRuns | null): HistoryChunk | undefined {
  const { hash, incarnation } = chunk.block
  if (recorded?.hash !== hash || recorded.incarnation !== incarnation) return chunk
  const known = new Set(recorded.runs)
  const matches = chunk.matches.flatMap((match) => {
    const listeners = match.listeners.filter((listener) => !known.has(runName(chunk, match.key, listener)))
    return listeners.length > 0 ? [{ ...match, listeners }] : []
  })
  return matches.length > 0 ? { ...chunk, matches } : undefined
}

function runsOf(chunk: HistoryChunk): string[] {
  return chunk.matches.flatMap(({ key, listeners }) => listeners.map((listener) => runName(chunk, key, listener)))
}

function runName({ triggerId }: HistoryChunk, itemKey: string, listener: string): string {
  return `${triggerId} ${itemKey} ${listener}`
}

/** The blocks that replace the undone ones are evaluated first. Their outputs set the timers that the states need. */
const replacedWithinMs = 30_000

/** The job for subscriptions whose firing or resolved alerts a reorg took back; none if there are no such subscriptions. */
export function retractedJobs(subscriptionIds: readonly string[], at: Date): NewJob[] {
  if (subscriptionIds.length === 0) return []
  const data: RetractedJob = { retractedOf: [...subscriptionIds] }
  return [{ data, startAfter: new Date(at.getTime() + replacedWithinMs) }]
}
