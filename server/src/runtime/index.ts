/** The loops of a running service: follow (sources to jobs), evaluate (jobs to alerts), deliver (alerts to destinations). */

import { every } from '../engine/base/every.ts'
import type { Running, RuntimeDeps } from './deps.ts'
import { startPublishingEvents } from './events/publish-events.ts'
import { startFollowing } from './follow/supervisor.ts'
import { makeLaneWakes } from './jobs/lane-wakes.ts'
import { makeListeners } from './listeners/make-listeners.ts'

export type { CrashPoint, Running, RuntimeDeps, RuntimeLog } from './deps.ts'

export type RuntimeOptions = Omit<RuntimeDeps, 'listeners' | 'crashPoint' | 'now'> &
  Partial<Pick<RuntimeDeps, 'crashPoint' | 'now'>>
/** Starts a loop with the dependencies that all loops share. */
export type StartLoop = (deps: RuntimeDeps) => Promise<Running>

/** The loops that handle jobs start before the followers that create jobs. */
export async function startRuntime(options: RuntimeOptions, loops: readonly StartLoop[]): Promise<Running> {
  const defaults = { crashPoint: () => undefined, now: () => performance.now(), laneWakes: makeLaneWakes() }
  const deps: RuntimeDeps = { ...defaults, ...options, listeners: openListeners(options) }
  const running: Running[] = []
  // The loops stop at the same time. Unfinished work is in the store, and the next process does it.
  const stop = async () => {
    await Promise.all(running.splice(0).map((loop) => loop.stop()))
  }
  try {
    await deps.listeners.load()
    for (const start of [...loops, startPublishingEvents, startRollUp, startFollowing]) running.push(await start(deps))
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function openListeners({ store, engine, networks, log }: RuntimeOptions) {
  const warn = (fields: Record<string, unknown>, message: string) => log.warn(fields, message)
  return makeListeners({ store, engine, networks, warn, notifications: store.notifications })
}

const rollUpMs = 2_000
/** After a look that found nothing, this many are left out. */
const skippedMax = 2

/** Adds the counts of recorded alerts and attempts to the counts per hour, which people read. */
async function startRollUp({ store, log }: Pick<RuntimeDeps, 'store' | 'log'>): Promise<Running> {
  let skipsLeft = 0
  const rollUp = async () => {
    if (skipsLeft > 0) {
      skipsLeft -= 1
      return
    }
    let added = await store.hourlyCounts.rollUp()
    skipsLeft = added.count === 0 ? skippedMax : 0
    while (added.mayBeMore) added = await store.hourlyCounts.rollUp()
  }
  return every(rollUpMs, rollUp, { log }, 'adding up the counts per hour')
}
