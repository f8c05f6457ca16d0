import type { RuntimeDeps } from '../deps.ts'
import type { AddedAlert } from './record-alerts.ts'
import type { ChunkResult } from './run-chunk.ts'

/** Tells metrics and traces of the alerts that a commit added, and of the chunks that it committed. */
export function noteAlerts(
  { meter, tracing, clock }: Pick<RuntimeDeps, 'meter' | 'tracing' | 'clock'>,
  alerts: readonly AddedAlert[],
  chunks: readonly ChunkResult[],
  startedAt: Date,
): void {
  countAlerts(meter, alerts)
  if (!tracing) return
  const times = { startMs: startedAt.getTime(), endMs: clock().getTime() }
  const jobOf = new Map(
    chunks.flatMap(({ claimed, candidates }) => candidates.map(({ alert }) => [alert?.id, claimed.id] as const)),
  )
  for (const { id, trigger, severity, source, block_hash: blockHash } of alerts)
    tracing.alert({ source, blockHash }, { id, trigger, severity, jobId: jobOf.get(id) }, times)
}

/** Most alerts of a commit are of one kind, so neighbours are counted together. */
function countAlerts(meter: RuntimeDeps['meter'], alerts: readonly AddedAlert[]): void {
  let count = 0
  for (const [at, { severity, state }] of alerts.entries()) {
    count += 1
    const next = alerts[at + 1]
    if (next?.severity === severity && next.state === state) continue
    meter.alerts(severity, state, count)
    count = 0
  }
}
