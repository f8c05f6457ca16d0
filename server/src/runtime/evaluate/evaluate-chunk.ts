import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { EvaluateJob } from '../jobs/job.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import { type AlertQuota, makeAlertQuota } from './alert-quota.ts'
import { commitChunks } from './commit-chunks.ts'
import { depthMax } from './fan-out/index.ts'
import { makePressure, type Pressure } from './pressure.ts'
import { type ChunkContext, type ChunkResult, type Dropped, emptyResult, runChunk } from './run-chunk.ts'
import { makeSerialPerTrigger } from './serial-per-trigger.ts'

export type EvaluateContext = ChunkContext & { pressure: Pressure; quota: AlertQuota }

/** Runs the current version of the chunk's trigger. The result is empty if the trigger or its listeners are gone. */
export async function evaluate(context: EvaluateContext, claimed: ClaimedJob<EvaluateJob>): Promise<ChunkResult> {
  const { deps, pressure, quota } = context
  const job = claimed.data
  const trigger = await findTrigger(deps, job)
  if (!trigger) return emptyResult(claimed)
  if (trigger.isOrdered && claimed.queue === 'evaluate') return { ...emptyResult(claimed), isMoved: true }
  if (job.depth > depthMax) return { ...emptyResult(claimed), failures: [tooDeep(job)] }
  if (isResumed(job) && (await isUndone(deps, job))) return emptyResult(claimed)
  const { allowed, level } = takePressure(pressure, job)
  const wanted = job.matches.slice(0, allowed)
  // An ordered chunk must keep the order of its items, so its alerts are counted and never postponed.
  const { now, postponed } =
    claimed.queue === 'evaluate' ? quota.split(trigger, wanted) : { now: wanted, postponed: null }
  const result = { ...(await runChunk(context, claimed, trigger, now)), postponed }
  quota.count(result.candidates)
  if (allowed < job.matches.length) result.dropped = droppedOf(level, job.matches.length - allowed)
  return result
}

/** True if runs of the chunk waited for a provider. */
function isResumed({ matches }: EvaluateJob): boolean {
  return matches.some(({ parked }) => parked !== undefined)
}

/** A run may wait for hours. If its block was undone meanwhile, no provider is called for it. The commit checks this again. */
async function isUndone({ store }: RuntimeDeps, { source, block }: EvaluateJob): Promise<boolean> {
  return source !== null && block !== null && (await store.sourceBlocks.isUndone(source, block))
}

/** Matches that waited were counted when they came, so the limits do not drop them now. */
function takePressure(pressure: Pressure, job: EvaluateJob): ReturnType<Pressure['take']> {
  const count = job.matches.length
  return isResumed(job) ? { allowed: count, level: 'none' } : pressure.take(job.triggerId, count)
}

/**
 * The process that queued the job may know listeners that this process has not loaded yet, or a newer address list: with an
 * older one the conditions would drop a match.
 */
export async function findTrigger(
  { listeners }: RuntimeDeps,
  { triggerId, matches }: EvaluateJob,
): Promise<LiveTrigger | undefined> {
  const known = listeners.trigger(triggerId)
  const isCurrent = known && !known.lists?.length && matches.every((match) => match.listeners.every(isKnownIn(known)))
  if (!isCurrent) await listeners.refresh()
  return listeners.trigger(triggerId)
}

/** True for a listener whose conditions name no address list. */
function isKnownIn({ listeners }: LiveTrigger): (key: string) => boolean {
  return (key) => {
    const listener = listeners.get(key)
    return listener !== undefined && listener.lists === undefined
  }
}

function tooDeep({ matches }: EvaluateJob) {
  const message = `its items come through more than ${depthMax} triggers; the triggers may form a loop`
  return { reasonCode: 'trigger.too_deep', message, sample: { item: matches[0]?.key ?? '' }, breaks: false }
}

function droppedOf(level: string, count: number): Dropped {
  const message = 'the trigger has more matches a minute than this service evaluates'
  return { level: level === 'blocked' ? 'blocked' : 'limited', count, message }
}

/** Evaluates and commits one chunk without the loop. */
export async function evaluateChunk(deps: RuntimeDeps, claimed: ClaimedJob<EvaluateJob>): Promise<void> {
  const quota = makeAlertQuota(Number.POSITIVE_INFINITY, deps.clock)
  const pressure = makePressure({}, deps.clock)
  const context = { deps, addressBooks: new Map(), serialPerTrigger: makeSerialPerTrigger(), pressure, quota }
  await commitChunks(deps, [await evaluate(context, claimed)])
}
