import * as z from 'zod'
import { DateTime, FreeForm, Fullname, IssueView, ListQuery, StackMark, Stamped, Time, Title } from './base/common.ts'
import { loose } from './base/loose.ts'
import { Condition, Conditions } from './triggers/conditions.ts'
import { Policy } from './triggers/policies/index.ts'
import { Defaults, DeliveryMode, Finality, Severity } from './triggers/trigger-parts.ts'

/** Templates that replace the trigger's defaults in the messages of this subscription. */
export const Overrides = Defaults.omit({ delivery: true })
export type Overrides = z.output<typeof Overrides>

/** Either a template's choice (`template`, `topics`, `values`) or one trigger (`trigger`, `inputs`, `conditions`). */
export const SubscriptionSave = z
  .object({
    workspace: Fullname,
    project: Fullname,
    template: z.string().min(1).max(128).optional(),
    topics: z.array(z.string().min(1).max(128)).max(500).optional(),
    values: FreeForm.optional(),
    trigger: Fullname.optional(),
    inputs: FreeForm.optional(),
    conditions: Conditions.nullish(),
    policy: Policy.optional(),
    delivery: DeliveryMode.optional(),
    resources: z.array(Fullname).max(20),
    overrides: Overrides.optional(),
    meta: z.object({ title: Title.optional() }).default({}),
  })
  .superRefine((save, context) => {
    if ((save.template === undefined) === (save.trigger === undefined))
      context.addIssue({ code: 'custom', path: [], message: 'give either a template or a trigger' })
    for (const field of save.template === undefined
      ? (['topics', 'values'] as const)
      : (['inputs', 'conditions'] as const))
      if (save[field] !== undefined && save[field] !== null)
        context.addIssue({
          code: 'custom',
          path: [field],
          message: `cannot be combined with a ${save.template === undefined ? 'trigger' : 'template'}`,
        })
  })
export type SubscriptionSave = z.output<typeof SubscriptionSave>

/** Where a history begins: at a block, or at the first block of a time or later. */
export const HistoryFrom = z
  .object({ block: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(), time: DateTime.optional() })
  .refine(({ block, time }) => (block === undefined) !== (time === undefined), {
    message: 'give either a block or a time',
  })

/** With `from`, a new subscription first runs over past blocks. Their alerts are sent only with `deliverHistory`. */
export const SubscriptionCreate = SubscriptionSave.safeExtend({
  from: HistoryFrom.optional(),
  deliverHistory: z.boolean().default(false),
  /** True: nothing is run or sent until the subscription is resumed. */
  paused: z.boolean().default(false),
})
export type SubscriptionCreate = z.output<typeof SubscriptionCreate>

/**
 * How far the history of a subscription is: `done` is the last block that was run, `to` the head of the chain when the
 * subscription began. Blocks after `to` are live, once the history is done or has failed.
 */
export const SubscriptionHistory = z.object({
  from: z.number().int(),
  to: z.number().int(),
  done: z.number().int(),
  state: z.enum(['running', 'done', 'failed']),
  /** Why the history failed. */
  reason: z.string().optional(),
})

export const SubscriptionStatus = z.enum(['active', 'paused'])

export const SubscriptionView = z
  .object({
    id: z.string(),
    workspace: z.string(),
    project: z.string(),
    template: z.string().optional(),
    topics: z.array(z.string()).optional(),
    values: FreeForm.optional(),
    trigger: z.string().optional(),
    inputs: FreeForm.optional(),
    conditions: loose(Condition).optional(),
    policy: loose(Policy).nullable(),
    delivery: z
      .object({ mode: z.string().optional(), keyPath: z.string().optional(), finality: Finality.optional() })
      .optional(),
    resources: z.array(z.string()),
    overrides: Overrides.optional(),
    meta: z.object({ title: z.string().optional() }),
    /** Names the subscription in its stack. */
    key: z.string().optional(),
    ...StackMark,
    status: SubscriptionStatus,
    /** Only of a subscription that was created with `from`. */
    history: SubscriptionHistory.optional(),
    /**
     * Why the subscription, or a part of it, cannot deliver: a rule without its trigger, access that its account has lost, a
     * resource that is not ready.
     */
    issue: z.string().optional(),
    /** The owner of the subscription; shown to owners and admins of the workspace. */
    account: z.object({ id: z.string(), name: z.string() }).optional(),
    ...Stamped,
  })
  .meta({ id: 'Subscription' })

export const SubscriptionListQuery = ListQuery.extend({
  workspace: z.string().max(255).optional(),
  project: z.string().max(255).optional(),
  trigger: z.string().max(255).optional(),
})

/** A message for people. A channel leaves out the fields that it cannot show. */
export const Message = z
  .object({
    title: z.string(),
    short: z.string().optional(),
    long: z.string().optional(),
    icon: z.string().optional(),
    cover: z.string().optional(),
    avatar: z.string().optional(),
    links: z.array(z.object({ title: z.string(), url: z.string() })).optional(),
  })
  .meta({ id: 'Message' })
export type Message = z.output<typeof Message>

/** The issue of a subscription without resources. The console shows it as information, not as a warning. */
export const noResourceIssue =
  'The subscription has no resource: its alerts are listed in the app and are not delivered anywhere.'

/** A message as people see it in a channel: plain texts, cut as the channel cuts them. */
export const ShownMessage = z
  .object({
    title: z.string(),
    text: z.string(),
    links: z.array(z.object({ title: z.string(), url: z.string() })),
    footer: z.string().optional().describe('A small line at the end'),
  })
  .meta({ id: 'ShownMessage' })
export type ShownMessage = z.infer<typeof ShownMessage>

/** A message in the form that a channel sends. A body that programs read has no `shown`. */
export const ChannelPreview = z
  .object({
    blueprint: z.string(),
    body: z.unknown(),
    shown: ShownMessage.optional().describe('The message as people see it there'),
  })
  .meta({ id: 'ChannelPreview' })

/** The issue of a test that has no sample item. The caller may send one. */
export const noTestInput = 'has no testInput: send an input'
/**
 * A trigger is tested on its item of `inputs`, else on `input`, else on its own testInput. `deliver` sends the message
 * to the resources, marked as a test. With `always` a message is sent even if the sample does not match.
 */
export const SubscriptionTest = z.object({
  input: FreeForm.optional(),
  inputs: z.record(Fullname, FreeForm).optional().describe('Items by the fullname of their trigger'),
  overrides: Overrides.optional().describe('Message texts to show or send instead of those that are saved'),
  deliver: z.boolean().default(false),
  always: z.boolean().default(false),
})
export const SubscriptionTestResult = z
  .object({
    valid: z.boolean(),
    issues: z.array(IssueView),
    /** One result for each trigger of the subscription. */
    results: z.array(
      z.object({
        trigger: z.string(),
        rule: z.string().optional(),
        /** The item of the test. */
        input: FreeForm.optional(),
        activated: z.boolean(),
        conditionsMet: z.boolean(),
        raw: z.unknown(),
        human: z.unknown(),
        message: Message.optional(),
        severity: Severity.optional(),
        /** The message for each resource, in the form that its channel sends. */
        previews: z.array(z.object({ resource: z.string(), blueprint: z.string(), body: z.unknown() })),
        /** The message in the form of every channel, whether the subscription uses it or not. */
        channels: z.array(ChannelPreview).optional(),
      }),
    ),
    deliveries: z.array(z.object({ resource: z.string(), ok: z.boolean(), error: z.string().optional(), at: Time })),
  })
  .meta({ id: 'SubscriptionTestResult' })
