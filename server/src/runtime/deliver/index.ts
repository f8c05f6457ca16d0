/**
 * Loop 3: sends deliveries to their destinations and records the results. Each resource has one lane, held by one process
 * at a time. Read it in this order: lanes.ts (which lanes this process holds), lane.ts (one turn of a lane), drain.ts
 * (send what is due, one by one), send-limits.ts (how many at once), lane-store.ts (the calls of all lanes to the store,
 * grouped), record-turns.ts (the commit of the results).
 */

import { waitAtMost } from '../../engine/base/deadline.ts'
import { every } from '../../engine/base/every.ts'
import type { DestinationDeps } from '../../engine/destinations/index.ts'
import type { Running, RuntimeDeps } from '../deps.ts'
import type { DeliverJob } from '../jobs/job.ts'
import { makeDeliveryCounts } from './delivery-counts.ts'
import { startFindingDueDeliveries } from './find-due-deliveries.ts'
import type { DeliverDeps } from './lane-deps.ts'
import { type LaneDeps, makeLaneStore } from './lane-store.ts'
import { Lanes } from './lanes.ts'
import { makeRateLimiter, makeSendSlots } from './send-limits.ts'

export type DeliverOptions = Pick<
  RuntimeDeps,
  'store' | 'laneWakes' | 'clock' | 'log' | 'crashPoint' | 'meter' | 'tracing'
> & {
  destinationDeps: DestinationDeps
  /** A resource to which nothing arrived for this many days is switched off. */
  disableDays: number
  /** Spreads retries; returns a number between 0 and 1. */
  random?: () => number
  /** How often due deliveries are searched for. */
  findDueMs?: number
  /** How many lanes run at the same time. Most of them wait for replies. */
  lanesMax?: number
}

const dayMs = 86_400_000
/** The connections of one origin are limited to `perHost` too. */
const slotLimits = { youngMax: 512, slowMax: 4_096, perHost: 64, slowAfterMs: 250 }
const wakeUpsMax = 100
const findDueMs = 1_000
const lanesMax = 5_000
const renewMs = 3_000
const writeCountsMs = 1_000
/** A stop waits this long for sends that are under way. The next process repeats those that take longer. */
const stopMs = 8_000

export async function startDeliver(options: DeliverOptions): Promise<Running> {
  const deps = makeLaneDeps(options)
  const lanes = new Lanes(deps, options.lanesMax ?? lanesMax)
  const wake = async (resourceIds: Iterable<string>) => {
    await deps.crashPoint('deliver.woken')
    if (!deps.laneState.isStopping) await lanes.wake(resourceIds)
  }
  await options.store.jobQueue.work<DeliverJob>('deliver', { batchSize: wakeUpsMax, concurrency: 1 }, (jobs) =>
    wake(jobs.flatMap(({ data }) => data.resourceIds)),
  )
  const endWakes = options.laneWakes?.listen((resourceIds) => {
    wake(resourceIds).catch((error: unknown) =>
      deps.log.warn(
        { error: String(error) },
        'delivery lanes were not woken; the search for due deliveries wakes them',
      ),
    )
  })
  const finding = startFindingDueDeliveries(lanes, deps, options.findDueMs ?? findDueMs)
  const renewing = every(renewMs, () => lanes.renew(), deps, 'renewing delivery lanes')
  const counting = every(writeCountsMs, () => deps.counts.flush(), deps, 'writing delivery counts')
  return {
    async stop() {
      deps.laneState.isStopping = true
      endWakes?.()
      await finding.stop()
      await waitAtMost(lanes.ended(), stopMs)
      await renewing.stop()
      await counting.stop()
      await deps.counts.flush()
    },
  }
}

function makeLaneDeps(options: DeliverOptions): LaneDeps {
  const { store, clock } = options
  const deps: DeliverDeps = {
    ...options,
    random: options.random ?? Math.random,
    disableMs: options.disableDays * dayMs,
    rateLimiter: makeRateLimiter(() => clock().getTime()),
    slots: makeSendSlots(slotLimits),
    counts: makeDeliveryCounts(store, clock),
    laneState: { isStopping: false, isCrowded: false, running: 0 },
  }
  return { ...deps, laneStore: makeLaneStore(deps) }
}
