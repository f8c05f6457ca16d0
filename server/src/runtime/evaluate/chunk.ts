import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { EvaluateJob } from '../jobs/job.ts'
import type { LiveTrigger } from '../listeners/listener.ts'
import { type AlertQuota, makeAlertQuota } from './alert-quota.ts'
import { commitChunks } from './commit.ts'
import { type AddressBooks, depthMax } from './fan-out/index.ts'
import type { Pressure } from './pressure.ts'
import { makePressure } from './pressure.ts'
import { type Dropped, type Evaluated, nothingOf, runChunk } from './run-chunk.ts'
import { makeTurns, type Turns } from './turns.ts'

export type Evaluating = {
  deps: RuntimeDeps
  books: AddressBooks
  turns: Turns
  pressure: Pressure
  quota: AlertQuota
}

/** A claimed chunk → what it brings. Its trigger is taken as it is now; without one, or without listeners, nothing. */
export async function evaluate(evaluating: Evaluating, claimed: ClaimedJob<EvaluateJob>): Promise<Evaluated> {
  const { deps, pressure, quota } = evaluating
  const job = claimed.data
  const trigger = await findTrigger(deps, job)
  if (!trigger) return nothingOf(claimed)
  if (trigger.isOrdered && claimed.queue === 'evaluate') return { ...nothingOf(claimed), isMoved: true }
  if (job.depth > depthMax) return { ...nothingOf(claimed), failures: [tooDeep(job)] }
  const { allowed, level } = pressure.take(trigger.id, job.matches.length)
  const { now, postponed } = quota.part(trigger, job.matches.slice(0, allowed))
  const evaluated = { ...(await runChunk(evaluating, claimed, trigger, now)), postponed }
  quota.count(evaluated.candidates)
  if (allowed < job.matches.length) evaluated.dropped = droppedOf(level, job.matches.length - allowed)
  return evaluated
}

/** Another process may know of listeners that this one has not heard of yet. */
async function findTrigger(
  { listeners }: RuntimeDeps,
  { triggerId, matches }: EvaluateJob,
): Promise<LiveTrigger | undefined> {
  const known = listeners.trigger(triggerId)
  const isComplete = known && matches.every((match) => match.listeners.every((key) => known.listeners.has(key)))
  if (!isComplete) await listeners.refresh()
  return listeners.trigger(triggerId)
}

function tooDeep({ matches }: EvaluateJob) {
  const message = `its items come through more than ${depthMax} triggers, as in a ring`
  return { reasonCode: 'trigger.too_deep', message, sample: { item: matches[0]?.key ?? '' }, breaks: false }
}

function droppedOf(level: string, count: number): Dropped {
  const message = 'there are more matches a minute than this service looks at'
  return { level: level === 'blocked' ? 'blocked' : 'limited', count, message }
}

/** One chunk by itself, run and committed: what the loop does with many at once. */
export async function evaluateChunk(deps: RuntimeDeps, claimed: ClaimedJob<EvaluateJob>): Promise<void> {
  const quota = makeAlertQuota(Number.POSITIVE_INFINITY, deps.clock)
  const evaluating = { deps, books: new Map(), turns: makeTurns(), pressure: makePressure({}, deps.clock), quota }
  await commitChunks(deps, [await evaluate(evaluating, claimed)])
}
