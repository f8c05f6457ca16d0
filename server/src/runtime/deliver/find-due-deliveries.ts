import type { Running } from '../deps.ts'
import type { LaneDeps } from './lane-deps.ts'
import type { Lanes } from './lanes.ts'

/** The search takes at most a twentieth of the time, however many resources have due deliveries. */
const pauseFactor = 20
const orphansMax = 1_000

/**
 * Searches once a second for resources that have due deliveries and no running lane: retries, lanes whose pause ended,
 * and deliveries of a process that died. Wake-up jobs only make sending faster; nothing depends on them.
 */
export function startFindingDueDeliveries(lanes: Lanes, deps: LaneDeps, everyMs: number): Running {
  let after = ''
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const findDueDeliveries = async () => {
    const { room } = lanes
    const resourceIds = await deps.store.deliveries.findDueResources(after, room + 1, deps.clock())
    deps.laneState.isCrowded = resourceIds.length > room
    // If there are more resources than lanes, the next search continues after the last one, so that each gets a turn.
    after = resourceIds.length > room ? (resourceIds[room - 1] ?? after) : ''
    await lanes.wake(resourceIds.slice(0, room))
    await dropOrphans(deps)
  }
  const repeat = async () => {
    const startedMs = performance.now()
    await findDueDeliveries().catch((error: unknown) =>
      deps.log.warn({ error: String(error) }, 'finding due deliveries failed; it will be retried'),
    )
    const pauseMs = Math.max(everyMs, (performance.now() - startedMs) * pauseFactor)
    if (!isStopped) timer = setTimeout(start, pauseMs)
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

/** Drops deliveries whose resource was deleted. */
async function dropOrphans({ store, clock }: LaneDeps): Promise<void> {
  await store.tx(async (store) => {
    const now = clock()
    const alertIds = await store.deliveries.dropOrphans(orphansMax, now)
    if (alertIds.length > 0) await store.deliveries.updateAlertStatuses(alertIds, now)
  })
}
