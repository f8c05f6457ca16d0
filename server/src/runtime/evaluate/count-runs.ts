import type { Run } from '../../engine/run-trigger/index.ts'
import type { LockedRows } from '../../store/alerts/alert-writes.ts'
import { RunChanges, type RunCounts } from '../../store/alerts/run-changes.ts'
import type { LastRun } from '../../store/core/tables.ts'
import type { Match } from '../jobs/job.ts'

/** The runs of one chunk, and the one that the trigger's page shows. */
export type ChunkRuns = { counts: RunCounts; last: Omit<LastRun, 'at'> }

const errorCharactersMax = 200

/**
 * Counts the runs that ended. A run that waits for a provider is counted when it ends. The runs of a chunk are executed
 * together, so each gets an equal part of the time.
 */
export function chunkRuns(
  runs: readonly Run[],
  planned: readonly { match: Match }[],
  tookMs: number,
): ChunkRuns | null {
  const ended = runs.flatMap((run, index) => {
    const match = planned[index]?.match
    return match && run.kind !== 'parked' && run.kind !== 'held' ? [{ run, match }] : []
  })
  const shown = ended.findLast(({ run }) => run.kind === 'failed') ?? ended.at(-1)
  if (!shown) return null
  const durationMs = Math.round((tookMs / ended.length) * 1000) / 1000
  const counts = {
    runs: ended.length,
    fired: ended.filter(({ run }) => hasFired(run)).length,
    failed: ended.filter(({ run }) => run.kind === 'failed').length,
    durationMs: durationMs * ended.length,
    slowestMs: durationMs,
    providerCalls: runs.reduce((sum, { debug }) => sum + debug.metrics.providerCalls, 0),
  }
  return { counts, last: lastRun(shown.run, shown.match, durationMs) }
}

function hasFired(run: Run): boolean {
  return run.kind === 'output' && run.outputs.length > 0
}

function lastRun(run: Run, match: Match, durationMs: number): ChunkRuns['last'] {
  const [issue] = run.kind === 'failed' ? run.issues : []
  return {
    item: match.key,
    outcome: run.kind === 'failed' ? 'failed' : hasFired(run) ? 'fired' : 'silent',
    durationMs,
    providerCalls: run.debug.metrics.providerCalls,
    ...(issue && { error: `${issue.path}: ${issue.message}`.slice(0, errorCharactersMax) }),
  }
}

type CountedChunk = { claimed: { data: { triggerId: string } }; runs: ChunkRuns | null }

/** The runs of the chunks of one commit. A trigger that was deleted meanwhile is left out. */
export function countRuns(chunks: readonly CountedChunk[], { triggers }: LockedRows, at: Date): RunChanges {
  const changes = new RunChanges()
  for (const { claimed, runs } of chunks) {
    const { triggerId } = claimed.data
    if (runs && triggers.has(triggerId)) changes.add(triggerId, runs.counts, { at: at.toISOString(), ...runs.last })
  }
  return changes
}
