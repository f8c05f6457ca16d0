import type { DeliveryResult } from '../../store/alerts/deliveries.ts'
import type { TurnResult } from '../../store/alerts/lanes.ts'
import type { LaneTurn } from './lane-deps.ts'
import type { Attempted } from './schedule.ts'

/** The attempts of one lane since its last record, and what they mean for the lane. */
export type TurnRecord = {
  turn: LaneTurn
  attempted: readonly Attempted[]
  change: Pick<TurnResult, 'works' | 'error' | 'notBefore' | 'lastAttempt'>
  rows: readonly DeliveryResult[]
  /** The turn has nothing more to send, so the lane is released if nothing is due. */
  mayRelease: boolean
}
