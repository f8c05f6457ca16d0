import type { DueResources } from '../../store/alerts/deliveries.ts'
import type { Running } from '../deps.ts'
import type { DeliverDeps } from './lane-deps.ts'
import type { Lanes } from './lanes.ts'

/** The search takes at most a twentieth of the time, however many resources have pending deliveries. */
const pauseFactor = 20
const pauseMaxMs = 5_000
const resourcesMax = 1_000
const orphansMax = 1_000

/**
 * Searches once a second for resources that have due deliveries and no running lane: retries, lanes whose pause ended,
 * and deliveries of a process that died. While nothing is pending it searches less often. Wake-up jobs only make sending faster; nothing depends on them.
 */
export function startFindingDueDeliveries(lanes: Lanes, deps: DeliverDeps, everyMs: number): Running {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const search = skipWhileIdle(
    () => findDueDeliveries(lanes, deps, () => isStopped),
    () => lanes.wakeUps,
  )
  const repeat = async () => {
    const startedMs = performance.now()
    await search().catch((error: unknown) =>
      deps.log.warn({ error: String(error) }, 'finding due deliveries failed; it will be retried'),
    )
    const pauseMs = Math.min((performance.now() - startedMs) * pauseFactor, pauseMaxMs)
    if (!isStopped) timer = setTimeout(start, Math.max(everyMs, pauseMs))
  }
  const start = () => {
    current = repeat()
  }
  let current = repeat()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await current
    },
  }
}

/** Wakes the lanes of all resources that have due deliveries, page by page. Returns true if any delivery is pending. */
async function findDueDeliveries(lanes: Lanes, deps: DeliverDeps, isStopped: () => boolean): Promise<boolean> {
  let after: string | undefined = ''
  let isAnyPending = lanes.isFull
  while (after !== undefined && !isStopped() && !lanes.isFull) {
    const due: DueResources = await deps.store.deliveries.findDueResources(after, resourcesMax, deps.clock())
    isAnyPending ||= due.isAnyPending
    if (due.hasOrphans) await dropOrphans(deps)
    await lanes.wake(due.resourceIds)
    after = due.resourceIds.length < resourcesMax ? undefined : due.resourceIds.at(-1)
  }
  return isAnyPending
}

/** Drops deliveries whose resource was deleted. */
async function dropOrphans({ store, clock }: DeliverDeps): Promise<void> {
  await store.tx(async (store) => {
    const now = clock()
    const alertIds = await store.deliveries.dropOrphans(orphansMax, now)
    if (alertIds.length > 0) await store.deliveries.updateAlertStatuses(alertIds, now)
  })
}

/** While nothing is pending and no lane is woken, only every fifth search reads the store. */
const skippedMax = 4

/** Skips searches after one that found nothing pending, until a lane is woken. `search` returns true if anything is pending. */
export function skipWhileIdle(search: () => Promise<boolean>, wakeUpsOf: () => number): () => Promise<void> {
  let wakeUps = wakeUpsOf()
  let skipsLeft = 0
  return async () => {
    const isQuiet = wakeUps === wakeUpsOf()
    wakeUps = wakeUpsOf()
    if (isQuiet && skipsLeft > 0) {
      skipsLeft -= 1
      return
    }
    // After a search that failed, the next one is not skipped.
    skipsLeft = 0
    if (!(await search())) skipsLeft = skippedMax
  }
}
