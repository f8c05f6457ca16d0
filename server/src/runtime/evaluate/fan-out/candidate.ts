import type { Message } from '@tocsin/contract'
import type { NewAlert } from '../../../store/alerts/alert-writes.ts'
import type { AlertTraceData } from '../../../store/core/tables.ts'
import type { Listener } from '../../listeners/live-trigger.ts'

/** One output for one listener. If the conditions are met it may become an alert; if not, it may end a monitor's warm-up. */
export type Candidate = {
  listener: Listener
  /** The key of the policy. */
  policyKey: string
  /** The key of the delivery mode; null if every match is delivered. */
  deliveryKey: string | null
  itemAtMs: number
  /** The block of the item, so that a reorg can undo the alert. */
  block: { source: string; hash: string; incarnation: number } | null
  /** Null if the conditions are not met. */
  alert: DraftAlert | null
}
/** An alert without the fields that the policy decides. */
export type DraftAlert = Omit<
  NewAlert,
  'status' | 'policy_key' | 'delivery_key' | 'finality' | 'is_collected' | 'reason' | 'message' | 'trace'
> & {
  message: Message
  trace: AlertTraceData
}
export type { AlertTraceData }
