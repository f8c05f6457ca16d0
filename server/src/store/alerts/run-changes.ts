import type { LastRun } from '../core/tables.ts'

/** Runs of one trigger. Runs of one chunk share its time equally. */
export type RunCounts = {
  runs: number
  /** Runs with at least one output. */
  fired: number
  /** Runs that failed, whether they are retried or not. */
  failed: number
  durationMs: number
  slowestMs: number
  providerCalls: number
}
/** `last` is one run of the commit: the last that failed, else the last one. */
export type RunChange = RunCounts & { id: string; last: LastRun }

export const noRuns: RunCounts = { runs: 0, fired: 0, failed: 0, durationMs: 0, slowestMs: 0, providerCalls: 0 }

export function addRunCounts(a: RunCounts, b: RunCounts): RunCounts {
  return {
    runs: a.runs + b.runs,
    fired: a.fired + b.fired,
    failed: a.failed + b.failed,
    durationMs: a.durationMs + b.durationMs,
    slowestMs: Math.max(a.slowestMs, b.slowestMs),
    providerCalls: a.providerCalls + b.providerCalls,
  }
}

/** Sums up the runs of one commit by trigger. */
export class RunChanges {
  readonly #changes = new Map<string, RunChange>()

  add(triggerId: string, counts: RunCounts, last: LastRun): void {
    const before = this.#changes.get(triggerId)
    const shown = before?.last.outcome === 'failed' && last.outcome !== 'failed' ? before.last : last
    this.#changes.set(triggerId, { ...addRunCounts(before ?? noRuns, counts), id: triggerId, last: shown })
  }

  list(): RunChange[] {
    return [...this.#changes.values()]
  }
}
