import type { DestinationDeps } from '../../engine/destinations/index.ts'
import type { Meter } from '../../metrics/index.ts'
import type { DeliveryResult } from '../../store/alerts/deliveries.ts'
import type { TurnResult } from '../../store/alerts/lanes.ts'
import type { TargetRow } from '../../store/alerts/resources.ts'
import type { Store } from '../../store/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { CrashPoint, RuntimeLog } from '../deps.ts'
import type { DeliveryCounts } from './delivery-counts.ts'
import type { Attempted, Random } from './schedule.ts'
import type { RateLimiter, SendSlots } from './send-limits.ts'

/** What all of loop 3 shares in one process. */
export type DeliverDeps = {
  store: Store
  destinationDeps: DestinationDeps
  clock: () => Date
  random: Random
  log: RuntimeLog
  crashPoint: CrashPoint
  meter: Meter
  tracing?: Tracing | undefined
  disableMs: number
  rateLimiter: RateLimiter
  slots: SendSlots
  counts: DeliveryCounts
  /** `isCrowded`: more lanes have something to send than may run at once. `running`: the number of lanes that run. */
  laneState: { isStopping: boolean; isCrowded: boolean; running: number }
}

/** One turn of one lane: from taking the lane's lease to releasing or losing it. */
export type LaneTurn = {
  resourceId: string
  owner: string
  /** The resource as it was when the lane was taken; the first search uses it. */
  target: TargetRow | undefined
  /** Owners of earlier turns that never released the lane: their processes died. */
  previousOwners: readonly string[]
  /** A wake-up came after the turn last looked for due deliveries. */
  isWoken: boolean
  /** The lease expired, so another process may hold the lane. */
  isLost: boolean
  /** The resource is disabled: the turn gives up all of its deliveries, due or not. */
  isSwitchedOff: boolean
}

/** The attempts of one lane since its last record, and what they mean for the lane. */
export type TurnRecord = {
  turn: LaneTurn
  attempted: readonly Attempted[]
  change: Pick<TurnResult, 'works' | 'error' | 'notBefore' | 'lastAttempt'>
  rows: readonly DeliveryResult[]
  /** The turn has nothing more to send, so the lane is released if nothing is due. */
  mayRelease: boolean
}
