import type { AlertPolicy, Message } from '@tocsin/contract'
import type { NewAlert } from '../../../store/alerts/alert-writes.ts'
import type { AlertTraceData } from '../../../store/core/tables.ts'
import type { Backfill } from '../../jobs/job.ts'
import type { Listener, LiveTrigger } from '../../listeners/live-trigger.ts'

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
  /** Set if the item is from the history of the subscription. */
  backfill: Backfill | null
  /** Null if the conditions are not met, or if the policy has states. */
  alert: DraftAlert | null
  /** The same alert with what the policy decided by. */
  withPolicy?(policy: AlertPolicy): DraftAlert
  /** Set if the policy has states and the conditions are met. */
  output?: CandidateOutput
}
/** An output for a policy with states. Most make no alert, so the alert is made only if the policy asks for it. */
export type CandidateOutput = {
  trigger: LiveTrigger
  /** What is at the policy's path `value`, in the unit of its bounds. */
  value: unknown
  /** Why there is no value, if the unit is not known. */
  whyNoValue?: string
  alertId: string
  draft(policy: AlertPolicy | null): DraftAlert
  onIssue(issue: string): void
}
/** An alert without the fields that the policy decides. */
export type DraftAlert = Omit<
  NewAlert,
  'status' | 'policy_key' | 'delivery_key' | 'backfilled' | 'finality' | 'is_collected' | 'reason' | 'message' | 'trace'
> & {
  message: Message
  trace: AlertTraceData
  /** The block that the alert shows, if it is not the one that caused it. */
  shown_block?: { number: number; hash: string }
}
export type { AlertTraceData }
