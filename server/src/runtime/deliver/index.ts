/** The third loop: a delivery → its destination → settled. One lane for each resource, held by one process at a time. */

import { waitAtMost } from '../../engine/base/deadline.ts'
import type { DestinationWorld } from '../../engine/destinations/index.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { Running, RuntimeDeps } from '../deps.ts'
import type { DeliverJob } from '../jobs/job.ts'
import { Lanes } from './lanes.ts'
import { startLooking } from './look.ts'
import { makePace } from './pace.ts'
import type { Parts } from './parts.ts'
import { makeSlots } from './slots.ts'
import { makeTally } from './tally.ts'

export type DeliverOptions = Pick<RuntimeDeps, 'store' | 'recentAlerts' | 'clock' | 'log' | 'crashPoint'> & {
  world: DestinationWorld
  /** A resource to which nothing arrived for so long is switched off. */
  disableDays: number
  /** Spreads retries; between 0 and 1. */
  chance?: () => number
  /** How often what is due is looked for. */
  lookMs?: number
}

const dayMs = 86_400_000
const sendsMax = 512
const wakeUpsMax = 100
const lookMs = 1_000
const renewMs = 3_000
const tellMs = 1_000
/** So long a stop waits for what is on its way; what takes longer is repeated by whoever comes next. */
const stopMs = 8_000

export async function startDeliver(options: DeliverOptions): Promise<Running> {
  const parts = makeParts(options)
  const lanes = new Lanes(parts)
  await options.store.jobQueue.work<DeliverJob>('deliver', { batchSize: wakeUpsMax, concurrency: 1 }, (jobs) =>
    wake(jobs, lanes, parts),
  )
  const looking = startLooking(lanes, parts, options.lookMs ?? lookMs)
  const renewing = every(renewMs, () => lanes.renew(), parts)
  const telling = every(tellMs, () => parts.tally.flush(), parts)
  return {
    async stop() {
      parts.mood.isStopping = true
      await looking.stop()
      await waitAtMost(lanes.ended(), stopMs)
      await renewing.stop()
      await telling.stop()
      await parts.tally.flush()
    },
  }
}

function makeParts(options: DeliverOptions): Parts {
  const { store, clock } = options
  return {
    ...options,
    chance: options.chance ?? Math.random,
    disableMs: options.disableDays * dayMs,
    pace: makePace(() => clock().getTime()),
    slots: makeSlots(sendsMax),
    tally: makeTally(store, clock),
    mood: { isStopping: false, isCrowded: false },
  }
}

/** A wake-up that finds no room is not lost: whatever is due is looked for. */
async function wake(jobs: readonly ClaimedJob<DeliverJob>[], lanes: Lanes, parts: Parts): Promise<void> {
  await parts.crashPoint('deliver.claimed')
  if (parts.mood.isStopping) return
  const resourceIds = [...new Set(jobs.map(({ data }) => data.resourceId))]
  if (resourceIds.length > lanes.room) parts.mood.isCrowded = true
  await lanes.wake(resourceIds.slice(0, lanes.room))
}

function every(ms: number, work: () => Promise<void>, { log }: Parts): Running {
  let current = Promise.resolve()
  const timer = setInterval(() => {
    current = current
      .then(work)
      .catch((error: unknown) => log.warn({ error: String(error) }, 'delivering: upkeep failed'))
  }, ms)
  return {
    async stop() {
      clearInterval(timer)
      await current
    },
  }
}
