import { waitForTurn } from '../../engine/base/event-loop-turns.ts'
import { compiledListener } from '../../engine/fan-out/index.ts'
import type { LockedRows } from '../../store/alerts/alert-writes.ts'
import type { Store } from '../../store/index.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { EvaluatedAtOnce } from '../jobs/at-once.ts'
import type { EvaluateJob } from '../jobs/job.ts'
import { isFast, type QueuedJob } from '../jobs/split.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import { lockRows } from './commit-chunks.ts'
import { type EvaluateContext, evaluate } from './evaluate-chunk.ts'
import type { ChunkResult } from './run-chunk.ts'
import { WritingChunks } from './write-chunks.ts'

/** How many runs one commit of blocks may have. The rest becomes jobs, so that a large block does not hold up its source. */
const runsMax = 4_000

/**
 * Evaluates the jobs that wait for nothing: no provider, script, token or policy. A job whose evaluation fails is left to the
 * queue, which repeats it without holding up the source.
 */
export async function evaluateAtOnce(
  context: EvaluateContext,
  jobs: readonly QueuedJob[],
  onCommitted: (chunks: readonly ChunkResult[]) => Promise<void>,
): Promise<EvaluatedAtOnce | undefined> {
  const chunks: ChunkResult[] = []
  for (const { job } of chooseJobs(context.deps, jobs)) {
    // The caller has just waited for a turn, to match the blocks.
    if (chunks.length > 0) await waitForTurn()
    const chunk = await evaluate(context, claimOf(job)).catch(() => undefined)
    if (chunk) chunks.push(chunk)
  }
  return chunks.length > 0 ? new EvaluatedChunks(context.deps, chunks, onCommitted) : undefined
}

class EvaluatedChunks implements EvaluatedAtOnce {
  readonly jobIds: ReadonlySet<string>
  readonly #chunks: readonly ChunkResult[]
  readonly #onCommitted: (chunks: readonly ChunkResult[]) => Promise<void>
  readonly #writing: WritingChunks
  #locked: LockedRows | undefined

  constructor(
    deps: RuntimeDeps,
    chunks: readonly ChunkResult[],
    onCommitted: (chunks: readonly ChunkResult[]) => Promise<void>,
  ) {
    this.jobIds = new Set(chunks.map(({ claimed }) => claimed.id))
    this.#chunks = chunks
    this.#onCommitted = onCommitted
    this.#writing = new WritingChunks(deps, deps.clock())
  }

  async lock(store: Store): Promise<void> {
    this.#locked = await lockRows(store, this.#chunks)
  }

  async write(store: Store): Promise<void> {
    if (!this.#locked) throw new Error('the rows are not locked')
    await this.#writing.write(store, this.#chunks, this.#locked, false)
  }

  async noteCommitted(): Promise<void> {
    this.#writing.noteCommitted(this.#chunks)
    await this.#onCommitted(this.#chunks)
  }

  discard(): void {
    this.#writing.discard()
  }
}

function chooseJobs({ listeners }: RuntimeDeps, jobs: readonly QueuedJob[]): QueuedJob[] {
  let runs = 0
  return jobs.filter(({ queue, job: { data } }) => {
    const trigger = queue === 'evaluate' ? listeners.trigger(data.triggerId) : undefined
    if (!trigger || !waitsForNothing(trigger, data)) return false
    const wanted = runs + data.matches.reduce((sum, { listeners }) => sum + listeners.length, 0)
    if (wanted > runsMax) return false
    runs = wanted
    return true
  })
}

function waitsForNothing(trigger: LiveTrigger, { matches }: EvaluateJob): boolean {
  if (!isFast(trigger) || trigger.isOrdered) return false
  const known = new Set<string>()
  for (const match of matches) for (const key of match.listeners) known.add(key)
  for (const key of known) if (!isPlain(trigger, key)) return false
  return true
}

/** The commits of policies and of delivery modes wait for those of the same key. Reading a token waits for a node. */
function isPlain(trigger: LiveTrigger, key: string): boolean {
  const listener = trigger.listeners.get(key)
  if (!listener || listener.policy !== null || listener.delivery.mode !== 'continuous') return false
  const { networkUse, needsItemToken } = compiledListener(trigger, listener)
  return !networkUse.endsWith('token') && !needsItemToken
}

const { signal } = new AbortController()

/** The job as if it had been claimed. It is in no queue, so its claim cannot expire. */
function claimOf({ id, data }: QueuedJob['job']): ClaimedJob<EvaluateJob> {
  return { queue: 'evaluate', id, retryCount: 0, data, signal }
}
