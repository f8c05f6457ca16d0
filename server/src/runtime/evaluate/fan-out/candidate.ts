import type { Message } from '@tocsin/contract'
import type { NewAlert } from '../../../store/alerts/alert-writes.ts'
import type { AlertTraceData } from '../../../store/core/tables.ts'
import type { Listener } from '../../listeners/listener.ts'

/** An output that reached a listener: met, it may become an alert; not met, it may still end what the policy waits for. */
export type Candidate = {
  listener: Listener
  /** Who waits for what: the key of the policy, and of the delivery mode (null: every time). */
  policyKey: string
  deliveryKey: string | null
  itemAtMs: number
  /** Where it was found, by which it can be taken back. */
  block: { source: string; hash: string; incarnation: number } | null
  /** Null where the conditions are not met. */
  alert: DraftAlert | null
}
/** An alert but for what the policy decides. */
export type DraftAlert = Omit<NewAlert, 'status' | 'policy_key' | 'delivery_key' | 'message' | 'trace'> & {
  message: Message
  trace: AlertTraceData
}
export type { AlertTraceData }
