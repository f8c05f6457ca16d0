import { type BlockIncarnation, incarnationKey, type LockedRows } from '../../store/alerts/alert-writes.ts'
import type { RecordedRuns } from '../../store/alerts/histories.ts'
import { violatedConstraint } from '../../store/core/base.ts'
import type { Store } from '../../store/index.ts'
import { queues } from '../../store/jobs/job.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { HistoryChunk, HistoryJob, HistoryPart } from '../jobs/job.ts'
import { heldChunk } from './retry.ts'
import type { ChunkResult } from './run-chunk.ts'
import { WritingChunks } from './write-chunks.ts'

/** Other processes hold these jobs now, so the results of this process must not be committed. */
export class ClaimsExpired extends Error {
  readonly ids: ReadonlySet<string>
  constructor(ids: ReadonlySet<string>) {
    super('the claim has expired')
    this.ids = ids
  }
}

/**
 * The chunks of a history's job. `rest` is set if some of them wait for a provider. `isLive` is false if a listener was
 * missing, so that the chunks have to run again.
 */
export type HistoryCommit = {
  part: HistoryPart
  rest: { chunks: HistoryChunk[]; delayMs: number; recorded: RecordedRuns } | null
  isLive: boolean
}

/**
 * Commits chunks: alerts, deliveries, policy states and values, state windows, jobs for dependent triggers, retries, and
 * the end of the claimed jobs. All of it is one transaction, so a crash repeats a chunk whole or not at all.
 */
export async function commitChunks(
  deps: RuntimeDeps,
  chunks: readonly ChunkResult[],
  history?: HistoryCommit,
): Promise<void> {
  try {
    await commit(deps, chunks, false, history)
  } catch (error) {
    // Some of these alerts are stored already, for example by another job with the same matches. The second commit accepts that.
    if (violatedConstraint(error) === undefined) throw error
    await commit(deps, chunks, true, history)
  }
}

async function commit(
  deps: RuntimeDeps,
  chunks: readonly ChunkResult[],
  mayRepeat: boolean,
  history?: HistoryCommit,
): Promise<void> {
  const at = deps.clock()
  await deps.crashPoint('evaluate.beforeCommit')
  const writing = new WritingChunks(deps, at)
  await deps.store.tx(async (store) => {
    const locked = await lockRows(store, chunks, history?.part)
    const isCurrent = !history || (await recordHistory(store, history, locked, at))
    const current = isCurrent ? chunks.filter((chunk) => !isUndone(chunk, locked)).sort(byTime) : []
    await writing.write(store, current, locked, mayRepeat)
    const held = history ? await putBackHistory(store, current, history, at) : await putBackHeld(store, current, at)
    if (current.some(({ parked }) => parked.length > 0)) await deps.crashPoint('evaluate.parked')
    await finishJobs(
      store,
      chunks.filter(({ claimed }) => !held.has(claimed.id)),
    )
  })
  writing.noteCommitted(chunks)
  await deps.crashPoint('evaluate.afterCommit')
}

/** Locks the subscriptions, triggers, resources and blocks, so that none changes before the commit. */
function lockRows(store: Store, chunks: readonly ChunkResult[], history?: HistoryPart): Promise<LockedRows> {
  const subscriptions = new Set<string>()
  const resources = new Set<string>()
  const listeners = new Set(chunks.flatMap(({ candidates }) => candidates.map(({ listener }) => listener)))
  for (const listener of listeners) {
    subscriptions.add(listener.subscriptionId)
    for (const { id } of listener.resources) resources.add(id)
  }
  if (history) subscriptions.add(history.subscriptionId)
  return store.alertWrites.lockRows({
    subscriptions: [...subscriptions],
    triggers: [...new Set(chunks.map(({ claimed }) => claimed.data.triggerId))],
    resources: [...resources],
    blocks: chunks.flatMap((chunk) => blockOf(chunk) ?? []),
  })
}

function blockOf({ claimed: { data } }: ChunkResult): BlockIncarnation | undefined {
  const { source, block } = data
  return source === null || !block ? undefined : { source, hash: block.hash, incarnation: block.incarnation }
}

function isUndone(chunk: ChunkResult, { undone }: LockedRows): boolean {
  const block = blockOf(chunk)
  return block !== undefined && undone.has(incarnationKey(block))
}

/** Policies apply to items in the order of their time, within one commit. */
function byTime(a: ChunkResult, b: ChunkResult): number {
  return a.claimed.data.nowMs - b.claimed.data.nowMs
}

/** Puts back the ordered chunks that wait for a provider. Returns their ids; throws if a claim expired meanwhile. */
async function putBackHeld(store: Store, chunks: readonly ChunkResult[], at: Date): Promise<ReadonlySet<string>> {
  const held = chunks.filter(({ claimed, parked }) => claimed.queue === 'evaluate-ordered' && parked.length > 0)
  for (const { claimed, parked } of held) {
    const { data, startAfter } = heldChunk(claimed, parked, at)
    if (!(await store.jobs.putBack(claimed, data, startAfter))) throw new ClaimsExpired(new Set([claimed.id]))
  }
  return new Set(held.map(({ claimed }) => claimed.id))
}

/** False if the chunks must not be written: their blocks were replaced, or the subscription is or was paused. */
async function recordHistory(
  store: Store,
  { part, rest, isLive }: HistoryCommit,
  locked: LockedRows,
  at: Date,
): Promise<boolean> {
  const isActive = isLive && locked.subscriptions.has(part.subscriptionId)
  if (isActive && rest) return store.histories.recordRuns(part, rest.recorded, at)
  if (isActive) return store.histories.recordDone(part, at)
  await store.histories.restart(part.subscriptionId, at)
  return false
}

/** What is left of a history's job keeps its place in the queue, while a run waits for a provider. */
async function putBackHistory(
  store: Store,
  chunks: readonly ChunkResult[],
  { part, rest }: HistoryCommit,
  at: Date,
): Promise<ReadonlySet<string>> {
  const [first] = chunks
  if (!first || !rest) return new Set()
  const data: HistoryJob = { history: part, chunks: rest.chunks }
  const startAfter = new Date(at.getTime() + rest.delayMs)
  if (!(await store.jobs.putBack(first.claimed, data, startAfter))) throw new ClaimsExpired(new Set([first.claimed.id]))
  return new Set([first.claimed.id])
}

/** Ends the claimed jobs; throws if a claim expired meanwhile. */
async function finishJobs(store: Store, chunks: readonly ChunkResult[]): Promise<void> {
  const claims = [...new Map(chunks.map(({ claimed }) => [claimed.id, claimed])).values()]
  for (const queue of queues) {
    const own = claims.filter((claimed) => claimed.queue === queue)
    const finished = await store.jobs.finishAll(queue, own)
    const expired = own.filter(({ id }) => !finished.has(id)).map(({ id }) => id)
    if (expired.length > 0) throw new ClaimsExpired(new Set(expired))
  }
}
