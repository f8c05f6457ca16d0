import type { RecordedRuns } from '../../store/alerts/histories.ts'
import type { HistoryChunk } from './job.ts'

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
