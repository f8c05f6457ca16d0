import * as z from 'zod'
import { DateTime, FreeForm, ListQuery, Stamped, Time } from './base/common.ts'
import { DeliveryAttempt } from './resources.ts'
import { Message } from './subscriptions.ts'
import { decidingPolicyTypes } from './triggers/policies/index.ts'
import { Severity } from './triggers/trigger-parts.ts'

/**
 * waiting: its block is not as final as the subscription wants, so nothing is sent yet; pending: at least one delivery is
 * not finished; delivered: all arrived; failed: at least one was given up; retracted: a reorganisation took its block back;
 * collected: it waits for its digest; digested: it was sent as part of a digest.
 */
export const AlertStatus = z.enum(['waiting', 'pending', 'delivered', 'failed', 'retracted', 'collected', 'digested'])
export type AlertStatus = z.output<typeof AlertStatus>
/**
 * waiting: the alert waits for the finality of its block; dead: given up after the last attempt, and can be replayed;
 * dropped: its block was taken back, or its resource was deleted.
 */
export const DeliveryStatus = z.enum(['waiting', 'pending', 'delivered', 'dead', 'dropped'])
export type DeliveryStatus = z.output<typeof DeliveryStatus>

/**
 * firing: a policy that resolves fired; resolved: what the alert named in `resolves` reported is
 * over. Other alerts have no state.
 */
export const AlertState = z.enum(['firing', 'resolved'])
export type AlertState = z.output<typeof AlertState>

const Amount = z.union([z.string(), z.number()])
/**
 * What a policy decided by. `bound` is what was set, `value` the newest one; `previous` is what a change was compared with, and
 * `changePercent` is negative for a fall; `count` is how many outputs came, and `suppressed` how many a throttle left out
 * before this alert. `within` and `for` are the texts of the policy.
 */
export const AlertPolicy = z
  .object({
    type: z.enum(decidingPolicyTypes),
    bound: Amount.optional(),
    value: Amount.optional(),
    previous: Amount.optional(),
    changePercent: z.number().optional(),
    count: z.number().int().optional(),
    within: z.string().optional().describe('The length of the time window of the policy.'),
    for: z.string().optional().describe('How long it had to hold.'),
    /** When it began: the first value beyond the bound, the value compared with, the first output that counts. */
    since: Time,
    suppressed: z.number().int().optional(),
    lastAt: Time.optional(),
  })
  .meta({ id: 'AlertPolicy' })
export type AlertPolicy = z.output<typeof AlertPolicy>

const AlertDestination = z
  .object({
    resource: z.string(),
    blueprint: z.string(),
    status: DeliveryStatus,
    /** True if an attempt failed and the next one is due later. */
    isRetrying: z.boolean(),
  })
  .meta({ id: 'AlertDestination' })
export type AlertDestination = z.output<typeof AlertDestination>

const AlertFields = {
  id: z.string(),
  subscription: z.string().optional(),
  workspace: z.string(),
  project: z.string(),
  trigger: z.string(),
  /** The resource whose deliveries failed or work again. Such an alert has no subscription, and `trigger` is `<resource>.events`. */
  resource: z.string().optional(),
  status: AlertStatus,
  severity: Severity,
  state: AlertState.nullable(),
  /** The firing alert that this one resolves, and how long it fired. */
  resolves: z.string().optional(),
  durationMs: z.number().int().optional(),
  /** True if the alert has deliveries. An alert without any is only listed, and counts as delivered. */
  hasDeliveries: z.boolean(),
  /** Where the alert goes and how that went, without repeats and retractions. */
  destinations: z.array(AlertDestination),
  /** True if the item is from a block before the subscription; see `from` of a subscription. */
  backfilled: z.boolean(),
  reason: z.string().optional(),
  /** Why the last attempt of a delivery failed, while it is retried. */
  retryError: z.string().optional(),
  message: Message,
  /** The source and block of the item. A timer has neither. */
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
    repeat: z
      .number()
      .int()
      .optional()
      .describe('The number of a repeat of a firing alert, from 1. The first delivery has none.'),
    /** Of a long queue in a chat or mailbox: the alert whose message tells of this one too. Such a delivery has no attempts. */
    foldedInto: z.string().optional(),
    /** The number of other alerts that the message of this delivery tells of. */
    foldedCount: z.number().int().optional(),
    attempts: z.array(DeliveryAttempt),
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
    /** What could not be rendered as its template says. */
    issues: z.array(z.string()).optional(),
    output: z.object({ raw: z.unknown(), human: z.unknown() }),
    /** What the policy of the subscription decided by; null without a policy. */
    policy: AlertPolicy.nullable(),
    /** Which rule of a severity by conditions decided, counted from 0. Absent if none did. */
    severityRule: z.number().int().optional(),
    /** The alert that resolved this firing one. A retracted alert resolves nothing. */
    resolvedBy: z.object({ id: z.string(), createdAt: Time, durationMs: z.number().int() }).optional(),
    /** The ids of the alerts in this digest. */
    digest: z.array(z.string()).optional(),
    deliveries: z.array(DeliveryView),
  })
  .meta({ id: 'AlertTrace' })

/** `bound` and `until` are those of a threshold when it compared the value. They are decimal texts, because amounts do not fit into a double. */
export const PolicyValue = z
  .object({
    at: Time,
    value: z.string(),
    bound: z.string().optional(),
    until: z.string().optional().describe('The value at which the threshold resolves, if that is not the bound.'),
  })
  .meta({ id: 'PolicyValue' })
/**
 * values: what the policy of the alert compared, for the key of the alert, oldest first; alerts: those
 * of the same key since the first value that are not retracted. Both times are those of the items. Other alerts have no values.
 */
export const AlertValues = z
  .object({
    values: z.array(PolicyValue),
    alerts: z.array(z.object({ id: z.string(), at: Time, state: AlertState.nullable() })),
  })
  .meta({ id: 'AlertValues' })

export const AlertListQuery = ListQuery.extend({
  workspace: z.string().max(255).optional(),
  project: z.string().max(255).optional(),
  trigger: z.string().max(255).optional(),
  subscription: z.string().max(128).optional(),
  status: AlertStatus.optional(),
  severity: Severity.optional(),
  state: AlertState.optional(),
  since: DateTime.optional(),
  q: z.string().trim().min(1).max(200).optional(),
})

/**
 * `all: true` sends to every resource again, `all: false` only to those where the alert did not arrive. Without `all`
 * it is sent where it did not arrive, or to every resource if it arrived everywhere.
 */
export const AlertReplay = z.object({ all: z.boolean().optional(), resource: z.string().max(255).optional() })

/** Up to 100 alerts. `all` has the meaning that it has for one alert. */
export const AlertBulkReplay = z.object({
  ids: z
    .array(z.string().min(1).max(128))
    .min(1)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'names an alert twice' }),
  all: z.boolean().optional(),
})
/**
 * resent: `deliveries` of the alert are sent again; nothing_to_send: it is retracted or waits for its block, has no
 * destination, or its deliveries are on their way; not_found: there is no such alert that you may see.
 */
export const AlertReplayOutcome = z.enum(['resent', 'nothing_to_send', 'not_found'])
export type AlertReplayOutcome = z.output<typeof AlertReplayOutcome>
/** One item for each id, in the order of the request. */
export const AlertBulkReplayResult = z
  .object({
    totalCount: z.number().int(),
    resentCount: z.number().int(),
    items: z.array(z.object({ id: z.string(), outcome: AlertReplayOutcome, deliveries: z.number().int() })),
  })
  .meta({ id: 'AlertBulkReplayResult' })

/** Failed alerts since a time, of the whole workspace or of one resource. `dryRun` sends nothing and answers the same counts. */
export const AlertResend = z.object({
  since: DateTime,
  resource: z.string().max(255).optional(),
  dryRun: z.boolean().optional(),
})
/**
 * `alerts`: failed alerts that are sent again, at most 1,000 in one call; `isComplete: false` means that more may be left.
 * `deliveries`: the deliveries that are sent now, with those that waited for a retry.
 */
export const AlertResendResult = z
  .object({ alerts: z.number().int(), deliveries: z.number().int(), isComplete: z.boolean() })
  .meta({ id: 'AlertResendResult' })
