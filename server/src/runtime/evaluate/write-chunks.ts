import type { LockedRows } from '../../store/alerts/alert-writes.ts'
import type { Store } from '../../store/index.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { NewJob } from '../../store/jobs/jobs.ts'
import type { CountedLogEvent, TriggerLogEvent } from '../../store/triggers/trigger-logs.ts'
import type { RuntimeDeps } from '../deps.ts'
import { orderedJobId } from '../jobs/ids.ts'
import type { EvaluateJob } from '../jobs/job.ts'
import { countRuns } from './count-runs.ts'
import { type Candidate, streamJobs } from './fan-out/index.ts'
import { applyPolicies } from './policies/index.ts'
import { type AddedAlert, noteAlerts, recordAlerts } from './record-alerts.ts'
import { parkedJobs, postponedJob, retryJobs } from './retry.ts'
import type { ChunkResult } from './run-chunk.ts'

/** Writes chunks in the caller's transaction. The caller says how the transaction ended. */
export class WritingChunks {
  readonly #deps: RuntimeDeps
  readonly #at: Date
  #woken: ReadonlySet<string> = new Set()
  #added: readonly AddedAlert[] = []

  constructor(deps: RuntimeDeps, at: Date) {
    this.#deps = deps
    this.#at = at
  }

  /** Writes alerts, deliveries, policy states and values, state windows, and the jobs for dependent triggers and retries. */
  async write(store: Store, chunks: readonly ChunkResult[], locked: LockedRows, mayRepeat: boolean): Promise<void> {
    const deps = this.#deps
    const at = this.#at
    const candidates = chunks.flatMap(({ candidates }) => candidates).filter((candidate) => isLocked(candidate, locked))
    const { alerts, states, changed, values, jobs } = await applyPolicies(
      store,
      candidates,
      at,
      deps.engine.publicUrl(),
    )
    const addsWakeUp = !deps.laneWakes?.isListening
    const runs = countRuns(chunks, locked, at)
    const { resourceIds, added } = await recordAlerts(store, alerts, locked, at, { mayRepeat, addsWakeUp, runs })
    this.#woken = resourceIds
    this.#added = added
    await store.policyStates.saveAll(states, at)
    await store.policyStates.changeAll(changed, at)
    await store.policyValues.addAll(values, at)
    if (changed.length > 0) await deps.crashPoint('evaluate.changedStates')
    await store.jobs.add('policy', jobs)
    await store.stateWindows.saveAll(
      chunks.flatMap(({ windows }) => windows).filter(({ trigger }) => locked.triggers.has(trigger)),
      at,
    )
    await addFollowUpJobs(store, deps, chunks)
    await logChunks(
      store,
      chunks.filter(({ claimed }) => locked.triggers.has(claimed.data.triggerId)),
      at,
    )
  }

  noteCommitted(chunks: readonly ChunkResult[]): void {
    if (this.#woken.size > 0) this.#deps.laneWakes?.wake(this.#woken)
    noteAlerts(this.#deps, this.#added, chunks, this.#at)
  }
}

function isLocked({ listener }: Candidate, locked: LockedRows): boolean {
  return locked.subscriptions.has(listener.subscriptionId) && locked.triggers.has(listener.triggerId)
}

async function addFollowUpJobs(store: Store, deps: RuntimeDeps, chunks: readonly ChunkResult[]): Promise<void> {
  const jobs = new Map<'evaluate' | 'evaluate-ordered', NewJob[]>([
    ['evaluate', []],
    ['evaluate-ordered', []],
  ])
  for (const { claimed, outputs, retries, parked, postponed, isMoved } of chunks) {
    if (postponed) jobs.get('evaluate')?.push(postponedJob(claimed.data, postponed))
    if (isMoved) jobs.get('evaluate-ordered')?.push(movedJob(claimed))
    const trigger = deps.listeners.trigger(claimed.data.triggerId)
    if (trigger && outputs.length > 0)
      for (const { queue, job } of streamJobs(deps, claimed.data, trigger, outputs)) jobs.get(queue)?.push(job)
    jobs.get('evaluate')?.push(...retryJobs(claimed.data, retries, deps.clock()))
    if (claimed.queue === 'evaluate') jobs.get('evaluate')?.push(...parkedJobs(claimed.data, parked, deps.clock()))
  }
  await store.jobs.add('evaluate', jobs.get('evaluate') ?? [])
  for (const job of jobs.get('evaluate-ordered') ?? []) await store.jobs.add('evaluate-ordered', [job])
}

function movedJob({ id, data }: ClaimedJob<EvaluateJob>): NewJob {
  const { triggerId, nowMs } = data
  return { id: orderedJobId(nowMs, 'moved', id), data, key: triggerId, group: triggerId }
}

/** Writes the failures of chunks into the trigger logs: one entry for each kind of failure, with its count. */
async function logChunks(store: Store, chunks: readonly ChunkResult[], at: Date): Promise<void> {
  const events = new Map<string, CountedLogEvent>()
  const count = (event: TriggerLogEvent, times: number) => {
    const key = [event.triggerId, event.kind, event.status, event.reasonCode].join(' ')
    events.set(key, { ...event, count: (events.get(key)?.count ?? 0) + times })
  }
  for (const { claimed, failures, postponed, dropped } of chunks) {
    const { triggerId, source } = claimed.data
    const where = { triggerId, ...(source !== null && { source }) }
    for (const { reasonCode, message, sample } of failures)
      count({ ...where, kind: 'delivery_failure', status: 'failed', reasonCode, message, sample }, 1)
    if (postponed) count({ ...where, ...postponedEvent }, postponed.matches.length)
    if (dropped)
      count(
        {
          ...where,
          kind: 'source_pressure',
          status: dropped.level,
          reasonCode: 'trigger.pressure',
          message: dropped.message,
        },
        dropped.count,
      )
  }
  if (events.size > 0) await store.triggerLogs.recordMany([...events.values()], at)
}

const postponedEvent = {
  kind: 'source_pressure',
  status: 'rate_limited',
  reasonCode: 'workspace.alerts_per_minute',
  message:
    'a workspace reached the limit of alerts a minute that the operator set; the rest follows in the next minute',
} as const
