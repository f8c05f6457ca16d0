import type { Engine } from '../engine/engine.ts'
import type { Network } from '../engine/sources/networks.ts'
import type { OpenStore } from '../store/index.ts'
import type { RecentAlertsCache } from './jobs/recent-alerts-cache.ts'
import type { Listeners } from './listeners/index.ts'

export type { Running } from '../engine/base/every.ts'

/** What the loops of a running engine share. */
export type RuntimeDeps = {
  store: OpenStore
  engine: Engine
  /** Who listens to what, as of the last refresh. */
  listeners: Listeners
  networks: readonly Network[]
  /** What evaluation leaves for delivery in the same process. */
  recentAlerts?: RecentAlertsCache
  clock: () => Date
  /** Milliseconds that only go forward, for what is measured. */
  now: () => number
  log: RuntimeLog
  /** Called at each named step between a block and its delivery; a harness ends the process there. */
  crashPoint: CrashPoint
}

/** As pino's: fields first, then the sentence. */
export type RuntimeLog = Record<'info' | 'warn' | 'error', (fields: Record<string, unknown>, message: string) => void>

export type CrashPoint = (name: string) => void | Promise<void>
