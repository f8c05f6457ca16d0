/** A running engine: who listens, the followers of all sources, and the loops that work off what they find. */

import type { Running, RuntimeDeps } from './deps.ts'
import { startTriggerEvents } from './events/trigger-events.ts'
import { startFollowing } from './follow/supervisor.ts'
import { makeRecentAlertsCache } from './jobs/recent-alerts-cache.ts'
import { makeListeners } from './listeners/index.ts'

export type { CrashPoint, Running, RuntimeDeps, RuntimeLog } from './deps.ts'

export type RuntimeOptions = Omit<RuntimeDeps, 'listeners' | 'crashPoint' | 'now'> &
  Partial<Pick<RuntimeDeps, 'crashPoint' | 'now'>>
/** Starts a loop in the deps that all of them share. */
export type StartLoop = (deps: RuntimeDeps) => Promise<Running>

/** Loops that work off jobs are started before the followers that make them. */
export async function startRuntime(options: RuntimeOptions, loops: readonly StartLoop[]): Promise<Running> {
  const recentAlerts = makeRecentAlertsCache()
  const defaults = { crashPoint: () => undefined, now: () => performance.now(), recentAlerts }
  const deps: RuntimeDeps = { ...defaults, ...options, listeners: listenersOf(options) }
  const running: Running[] = []
  /** Side by side: what one leaves undone is in the store, for whoever comes next. */
  const stop = async () => {
    await Promise.all(running.splice(0).map((each) => each.stop()))
  }
  try {
    await deps.listeners.load()
    for (const start of [...loops, startTriggerEvents, startFollowing]) running.push(await start(deps))
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function listenersOf({ store, engine, networks, log }: RuntimeOptions) {
  return makeListeners({ store, engine, networks, warn: (fields, message) => log.warn(fields, message) })
}
