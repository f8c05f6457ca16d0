import { type BlockMark, type Held, markOf } from '../../store/alerts/alert-writes.ts'
import { violatedConstraint } from '../../store/core/base.ts'
import type { Store } from '../../store/index.ts'
import { type ClaimedJob, queues } from '../../store/jobs/job.ts'
import type { NewJob } from '../../store/jobs/jobs.ts'
import type { RuntimeDeps } from '../deps.ts'
import { orderedJobId } from '../jobs/ids.ts'
import type { EvaluateJob } from '../jobs/job.ts'
import { type Candidate, streamJobs } from './fan-out/index.ts'
import { logChunks } from './logs.ts'
import { judge } from './policies/index.ts'
import { type Recorded, record } from './record.ts'
import { postponedJob, retryJob } from './retry.ts'
import type { Evaluated } from './run-chunk.ts'

/** Others hold these jobs now; nothing that was done for them may be kept. */
export class Lapsed extends Error {
  readonly ids: ReadonlySet<string>
  constructor(ids: ReadonlySet<string>) {
    super('the claim has expired')
    this.ids = ids
  }
}

/** Alerts, deliveries, windows, what other triggers hear, what is tried again, and the settling: one commit. */
export async function commitChunks(deps: RuntimeDeps, chunks: readonly Evaluated[]): Promise<void> {
  try {
    await commit(deps, chunks, false)
  } catch (error) {
    // Some of it is there already.
    if (violatedConstraint(error) === undefined) throw error
    await commit(deps, chunks, true)
  }
}

async function commit(deps: RuntimeDeps, chunks: readonly Evaluated[], mayRepeat: boolean): Promise<void> {
  const at = deps.clock()
  await deps.crashPoint('evaluate.beforeCommit')
  await keepFresh(deps, async (store, keep) => {
    const held = await hold(store, chunks)
    const standing = chunks.filter((chunk) => !isUndone(chunk, held)).sort(byTime)
    const candidates = standing.flatMap(({ candidates }) => candidates).filter((one) => isHeld(one, held))
    const judged = await judge(store, candidates, at)
    keep(await record(store, judged.passed, held, at, mayRepeat))
    await store.policyStates.saveAll(judged.states, at)
    await store.jobs.add('policy', judged.jobs)
    await store.stateWindows.saveAll(
      standing.flatMap(({ windows }) => windows).filter(({ trigger }) => held.triggers.has(trigger)),
      at,
    )
    await addFollowing(store, deps, standing)
    await logChunks(
      store,
      standing.filter(({ claimed }) => held.triggers.has(claimed.data.triggerId)),
      at,
    )
    await settle(store, chunks)
  })
  await deps.crashPoint('evaluate.afterCommit')
}

/** What is recorded is at hand before the commit: lanes may see it in the store before its commit is heard of here. */
async function keepFresh(
  { store, recentAlerts }: RuntimeDeps,
  work: (store: Store, keep: (recorded: Recorded) => void) => Promise<void>,
): Promise<void> {
  const kept: Recorded = []
  const keep = (recorded: Recorded) => {
    for (const one of recorded) kept.push(one)
    recentAlerts?.add(recorded)
  }
  try {
    await store.tx((store) => work(store, keep))
  } catch (error) {
    recentAlerts?.drop(kept.map(([id]) => id))
    throw error
  }
}

function hold(store: Store, chunks: readonly Evaluated[]): Promise<Held> {
  const subscriptions = new Set<string>()
  const resources = new Set<string>()
  const listeners = new Set(chunks.flatMap(({ candidates }) => candidates.map(({ listener }) => listener)))
  for (const listener of listeners) {
    subscriptions.add(listener.subscriptionId)
    for (const { id } of listener.resources) resources.add(id)
  }
  return store.alertWrites.hold({
    subscriptions: [...subscriptions],
    triggers: [...new Set(chunks.map(({ claimed }) => claimed.data.triggerId))],
    resources: [...resources],
    blocks: chunks.flatMap((chunk) => blockOf(chunk) ?? []),
  })
}

function isHeld({ listener }: Candidate, held: Held): boolean {
  return held.subscriptions.has(listener.subscriptionId) && held.triggers.has(listener.triggerId)
}

function blockOf({ claimed: { data } }: Evaluated): BlockMark | undefined {
  const { source, block } = data
  return source === null || !block ? undefined : { source, hash: block.hash, incarnation: block.incarnation }
}

function isUndone(chunk: Evaluated, { undone }: Held): boolean {
  const block = blockOf(chunk)
  return block !== undefined && undone.has(markOf(block))
}

/** Policies look at items in the order of their time, as far as they are here together. */
function byTime(a: Evaluated, b: Evaluated): number {
  return a.claimed.data.nowMs - b.claimed.data.nowMs
}

async function addFollowing(store: Store, deps: RuntimeDeps, chunks: readonly Evaluated[]): Promise<void> {
  const jobs = new Map<'evaluate' | 'evaluate-ordered', NewJob[]>([
    ['evaluate', []],
    ['evaluate-ordered', []],
  ])
  for (const { claimed, outputs, again, postponed, isMoved } of chunks) {
    if (postponed) jobs.get('evaluate')?.push(postponedJob(claimed.data, postponed))
    if (isMoved) jobs.get('evaluate-ordered')?.push(movedJob(claimed))
    const trigger = deps.listeners.trigger(claimed.data.triggerId)
    if (trigger && outputs.length > 0)
      for (const { queue, job } of streamJobs(deps, claimed.data, trigger, outputs)) jobs.get(queue)?.push(job)
    if (again.length > 0) jobs.get('evaluate')?.push(retryJob(claimed.data, again, deps.clock()))
  }
  await store.jobs.add('evaluate', jobs.get('evaluate') ?? [])
  for (const one of jobs.get('evaluate-ordered') ?? []) await store.jobs.add('evaluate-ordered', [one])
}

function movedJob({ id, data }: ClaimedJob<EvaluateJob>): NewJob {
  const { triggerId, nowMs } = data
  return { id: orderedJobId(nowMs, 'moved', id), data, key: triggerId, group: triggerId }
}

async function settle(store: Store, chunks: readonly Evaluated[]): Promise<void> {
  const claims = chunks.map(({ claimed }) => claimed)
  for (const queue of queues) {
    const own = claims.filter((claimed) => claimed.queue === queue)
    const settled = await store.jobs.finishAll(queue, own)
    const lapsed = own.filter(({ id }) => !settled.has(id)).map(({ id }) => id)
    if (lapsed.length > 0) throw new Lapsed(new Set(lapsed))
  }
}
