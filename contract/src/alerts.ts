import * as z from 'zod'
import { FreeForm, ListQuery, Stamped, Time } from './base/common.ts'
import { Message } from './subscriptions.ts'

/**
 * pending: some delivery is still to come; delivered: all went out; failed: one at least was given up; retracted: a
 * reorganisation took its cause back; collected: waits for its digest; digested: went out in one.
 */
export const AlertStatus = z.enum(['pending', 'delivered', 'failed', 'retracted', 'collected', 'digested'])
export type AlertStatus = z.output<typeof AlertStatus>
/** dead: given up after the last attempt, and replayable; dropped: its cause was taken back, or its resource is gone. */
export const DeliveryStatus = z.enum(['pending', 'delivered', 'dead', 'dropped'])
export type DeliveryStatus = z.output<typeof DeliveryStatus>

const AlertFields = {
  id: z.string(),
  subscription: z.string().optional(),
  workspace: z.string(),
  project: z.string(),
  trigger: z.string(),
  status: AlertStatus,
  /** Whether it goes or went to resources; one without any is listed only, and counts as delivered. */
  hasDeliveries: z.boolean(),
  reason: z.string().optional(),
  /** Why the last attempt of a delivery failed, while it is retried. */
  retryError: z.string().optional(),
  message: Message,
  /** Where it happened; a timer has neither source nor block. */
  source: z.string().optional(),
  block: z.object({ number: z.number().int(), hash: z.string() }).optional(),
  ...Stamped,
}

export const AlertView = z.object(AlertFields).meta({ id: 'Alert' })

export const DeliveryView = z
  .object({
    id: z.string(),
    kind: z.enum(['alert', 'retraction']),
    resource: z.string(),
    blueprint: z.string(),
    status: DeliveryStatus,
    attempts: z.array(
      z.object({
        at: Time,
        ok: z.boolean(),
        durationMs: z.number().int(),
        /** What the other side answered, where it speaks HTTP. */
        status: z.number().int().optional(),
        error: z.string().optional(),
      }),
    ),
    nextAttemptAt: Time.optional(),
    ...Stamped,
  })
  .meta({ id: 'Delivery' })

export const AlertTrace = z
  .object({
    ...AlertFields,
    rule: z.string().optional(),
    item: z.unknown(),
    inputs: FreeForm,
    providers: FreeForm,
    activated: z.boolean(),
    output: z.object({ raw: z.unknown(), human: z.unknown() }),
    /** The alerts that went out in this one, where it is a digest. */
    digest: z.array(z.string()).optional(),
    deliveries: z.array(DeliveryView),
  })
  .meta({ id: 'AlertTrace' })

export const AlertListQuery = ListQuery.extend({
  workspace: z.string().max(255).optional(),
  project: z.string().max(255).optional(),
  trigger: z.string().max(255).optional(),
  subscription: z.string().max(128).optional(),
  status: AlertStatus.optional(),
})

/**
 * `all` sends everything again, also what arrived, and `all: false` only what did not. Without it what did not arrive is
 * sent, or everything where all of it did.
 */
export const AlertReplay = z.object({ all: z.boolean().optional(), resource: z.string().max(255).optional() })
