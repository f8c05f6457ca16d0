import type { DestinationWorld } from '../../engine/destinations/index.ts'
import type { Store } from '../../store/index.ts'
import type { CrashPoint, RuntimeLog } from '../deps.ts'
import type { RecentAlertsCache } from '../jobs/recent-alerts-cache.ts'
import type { Pace } from './pace.ts'
import type { Chance } from './schedule.ts'
import type { Slots } from './slots.ts'
import type { Tally } from './tally.ts'

/** What the lanes of one process share. */
export type Parts = {
  store: Store
  recentAlerts?: RecentAlertsCache
  world: DestinationWorld
  clock: () => Date
  chance: Chance
  log: RuntimeLog
  crashPoint: CrashPoint
  disableMs: number
  pace: Pace
  slots: Slots
  tally: Tally
  /** Crowded: more lanes have something to send than may run at once. */
  mood: { isStopping: boolean; isCrowded: boolean }
}

/**
 * One turn of one lane. Before: owners of turns that ended without a word. Woken: something came since it looked last. Lost:
 * another may hold it by now. Switched off: nothing goes there any more, due or not.
 */
export type Turn = {
  resourceId: string
  owner: string
  before: readonly string[]
  isWoken: boolean
  isLost: boolean
  isSwitchedOff: boolean
}
