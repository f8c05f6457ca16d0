import type { Backfill } from '../../jobs/job.ts'
import type { Listener } from '../../listeners/live-trigger.ts'
import type { DraftAlert } from '../fan-out/candidate.ts'

/** An alert that is sent, or collected for a digest. */
export type AlertToRecord = {
  listener: Listener
  alert: DraftAlert
  policyKey: string | null
  deliveryKey: string | null
  isCollected: boolean
  /** Set if an item of the subscription's history caused it. */
  backfill: Backfill | null
}

/** The alert of the item that started a warm-up; it is sent when the policy fires. */
export type Seed = Pick<AlertToRecord, 'alert' | 'deliveryKey'>

/** What a policy with states keeps of an output of a warm-up; `id` is that of the alert. */
export type KeySeed = Seed & { id: string }
