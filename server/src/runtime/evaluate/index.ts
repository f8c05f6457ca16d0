/** The second loop: claimed chunks of matches → their runs → alerts, deliveries and whatever follows, in one commit. */

import { ownTurn } from '../../engine/base/event-loop-turns.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { Running, RuntimeDeps } from '../deps.ts'
import type { EvaluateJob, PolicyJob } from '../jobs/job.ts'
import { makeAlertQuota } from './alert-quota.ts'
import { type Evaluating, evaluate } from './chunk.ts'
import { type Committer, makeCommitter } from './committer.ts'
import { type Health, watchHealth } from './health.ts'
import { keepMoment } from './policy-moment.ts'
import { makePressure, type PressureLimits } from './pressure.ts'
import { makeTurns } from './turns.ts'

export { evaluateChunk } from './chunk.ts'
export type { PressureLimits } from './pressure.ts'

export type EvaluateOptions = {
  pressure?: PressureLimits
  /** Alerts a minute for the subscriptions of one workspace. */
  alertsPerMinute?: number
  /** Chunks at once in this process, and of one trigger. */
  slots?: number
  perTrigger?: number
}

const refreshMs = 200
const healthMs = 10_000
const tidyMs = 3_600_000
/** What a monitor keeps only to take back a reorganisation is of no use after a day. */
const staleMs = 24 * 3_600_000

export async function startEvaluate(deps: RuntimeDeps, options: EvaluateOptions = {}): Promise<Running> {
  const pressure = makePressure(options.pressure ?? {}, deps.clock)
  const quota = makeAlertQuota(options.alertsPerMinute ?? Number.POSITIVE_INFINITY, deps.clock)
  const evaluating = { deps, books: new Map(), turns: makeTurns(), pressure, quota }
  const health = watchHealth(deps, pressure)
  const committer = makeCommitter(deps)
  const freshen = makeFreshen(deps)
  const handle = async (claimed: ClaimedJob<EvaluateJob>) => {
    await freshen()
    await ownTurn()
    await take(evaluating, committer, health, claimed)
  }
  const { slots = 64, perTrigger = 8 } = options
  const pumps = [
    deps.store.jobQueue.pump<EvaluateJob>('evaluate', { slots, batchSize: 16, perGroup: perTrigger }, handle),
    deps.store.jobQueue.pump<EvaluateJob>('evaluate-ordered', { slots, batchSize: 16, perGroup: perTrigger }, handle),
    deps.store.jobQueue.pump<PolicyJob>('policy', { slots: 8, batchSize: 8, perGroup: 8 }, (claimed) =>
      keepMoment(deps, claimed),
    ),
  ]
  const timers = [
    setInterval(() => void trying(deps, health.notePressure()), healthMs),
    setInterval(() => void trying(deps, forgetIdle(deps)), tidyMs),
  ]
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(pumps.map((pump) => pump.stop()))
    },
  }
}

async function take(
  evaluating: Evaluating,
  committer: Committer,
  health: Health,
  claimed: ClaimedJob<EvaluateJob>,
): Promise<void> {
  const { deps } = evaluating
  await deps.crashPoint('evaluate.claimed')
  const evaluated = await evaluate(evaluating, claimed)
  await deps.crashPoint('evaluate.ran')
  claimed.signal.throwIfAborted()
  await committer.commit(evaluated)
  const trigger = deps.listeners.trigger(claimed.data.triggerId)
  if (trigger) await trying(deps, health.note(trigger, evaluated))
}

/** Edits show within moments, without asking before every chunk. */
function makeFreshen({ listeners }: RuntimeDeps): () => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> = Promise.resolve()
  return () => {
    if (performance.now() - askedAt > refreshMs) {
      askedAt = performance.now()
      asking = listeners.refresh()
    }
    return asking
  }
}

function forgetIdle({ store, clock }: RuntimeDeps): Promise<void> {
  return store.policyStates.forgetIdle(new Date(clock().getTime() - staleMs))
}

/** What is done beside the work fails by itself; the next time it may go well. */
async function trying({ log }: RuntimeDeps, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'the state of triggers could not be kept')
  }
}
