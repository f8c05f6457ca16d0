import type { Running } from '../deps.ts'
import type { Lanes } from './lanes.ts'
import type { Parts } from './parts.ts'

/** Looking takes at most a twentieth of the time, however many resources wait. */
const pauseFactor = 20
const orphansMax = 1_000

/**
 * Looks once a second for resources to which something is due and nobody sends: retries whose time has come, lanes that
 * rested, and what a process that died left behind. Wake-ups only make it faster.
 */
export function startLooking(lanes: Lanes, parts: Parts, everyMs: number): Running {
  let behind = ''
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const look = async () => {
    const { room } = lanes
    const found = await parts.store.deliveries.dueResources(behind, room + 1, parts.clock())
    parts.mood.isCrowded = found.length > room
    // Where they are too many the next look goes on behind the last, so that each has its turn.
    behind = found.length > room ? (found[room - 1] ?? behind) : ''
    await lanes.wake(found.slice(0, room))
    await dropOrphans(parts)
  }
  const again = async () => {
    const startedMs = performance.now()
    await look().catch((error: unknown) => parts.log.warn({ error: String(error) }, 'looking for deliveries failed'))
    const pauseMs = Math.max(everyMs, (performance.now() - startedMs) * pauseFactor)
    if (!isOver) timer = setTimeout(start, pauseMs)
  }
  const start = () => {
    current = again()
  }
  let current = again()
  return {
    async stop() {
      isOver = true
      clearTimeout(timer)
      await current
    },
  }
}

/** What waited for a resource that was deleted since. */
async function dropOrphans({ store, clock }: Parts): Promise<void> {
  await store.tx(async (store) => {
    const now = clock()
    const alertIds = await store.deliveries.dropOrphans(orphansMax, now)
    if (alertIds.length > 0) await store.deliveries.settleAlerts(alertIds, now)
  })
}
