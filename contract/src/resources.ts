import * as z from 'zod'
import { FreeForm, Fullname, ListQuery, Stamped, Tagged, Tagging, Time, Title } from './base/common.ts'

export const ResourceSave = z.object({
  name: z.string(),
  fullname: Fullname,
  workspace: Fullname,
  project: Fullname.optional(),
  blueprint: z.string().min(1).max(255),
  data: FreeForm.optional(),
  notifyOnFailure: Fullname.nullable().optional(),
  ...Tagging,
  meta: z.object({ title: Title.optional() }).default({}),
})

export const DestinationSummary = z
  .object({ service: z.string(), title: z.string(), kind: z.string().optional(), topic: z.string().optional() })
  .meta({ id: 'DestinationSummary' })

/**
 * `failing`: the last attempts failed, and they are retried; `off`: the resource is not ready, so nothing is sent;
 * `unused`: nothing was sent yet.
 */
export const ResourceState = z.enum(['working', 'failing', 'off', 'unused'])
const Exchanged = {
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  isCut: z.boolean().optional(),
}
export const DeliveryAttempt = z
  .object({
    at: Time,
    ok: z.boolean(),
    durationMs: z.number().int(),
    /** The HTTP status of the receiver's response, for channels that use HTTP. */
    status: z.number().int().optional(),
    error: z.string().optional(),
    note: z.string().optional().describe('What was sent otherwise than its template says, and why'),
    /** Of a test, and of the last attempt if it failed. Secrets are replaced by `•••`; a body is cut after 2,048 characters. */
    request: z.object({ method: z.string(), url: z.string(), ...Exchanged }).optional(),
    /** Of a test, and of attempts that failed, if an answer came. */
    response: z.object(Exchanged).optional(),
  })
  .meta({ id: 'DeliveryAttempt' })

/** How deliveries to a resource go. */
export const ResourceHealth = z
  .object({
    state: ResourceState,
    failingSince: Time.optional(),
    lastError: z.string().optional(),
    lastSuccessAt: Time.optional(),
    /** Without `request` and `response`: they quote an alert, which not every member may see. */
    lastAttempt: DeliveryAttempt.optional(),
    /** The current hour and the 23 before it. `successRate` is the share of attempts that succeeded, from 0 to 1. */
    last24h: z
      .object({
        delivered: z.number().int(),
        failed: z.number().int(),
        failedAttempts: z.number().int(),
        successRate: z.number().min(0).max(1).optional(),
      })
      .optional(),
    queue: z.number().int().optional().describe('How many deliveries wait, counted up to 1,000'),
    nextAttemptAt: Time.optional(),
  })
  .meta({ id: 'ResourceHealth' })

export const ResourceView = z
  .object({
    id: z.string(),
    name: z.string(),
    fullname: z.string(),
    workspace: z.string(),
    project: z.string().optional(),
    blueprint: z.string(),
    ready: z.boolean(),
    remark: z.string().nullable(),
    health: ResourceHealth.optional(),
    data: FreeForm.optional(),
    token: z.string().optional(),
    destinationSummary: DestinationSummary.optional(),
    /** The resource of the same workspace that gets a message when deliveries to this one begin to fail, and when they work again. */
    notifyOnFailure: z.string().optional(),
    ...Tagged,
    meta: z.object({ title: z.string().optional() }),
    ...Stamped,
  })
  .meta({ id: 'ResourceView' })

export const ResourceListQuery = ListQuery.extend({
  workspace: z.string().max(255).optional(),
  project: z.string().max(255).optional(),
})

export const ResourceTestResult = DeliveryAttempt.meta({ id: 'ResourceTestResult' })

export const SessionStatus = z.enum(['pending', 'claimed', 'completed', 'cancelled', 'expired', 'superseded'])
export type SessionStatus = z.infer<typeof SessionStatus>
export const SetupSessionCreated = z
  .object({ id: z.string(), status: z.literal('pending'), setupToken: z.string(), expiresAt: Time })
  .meta({ id: 'SetupSessionCreated' })
export const SetupSessionView = z
  .object({ id: z.string(), resourceFullname: z.string(), status: SessionStatus, expiresAt: Time })
  .meta({ id: 'SetupSession' })

export const ExternalSubmit = z.object({ transform: FreeForm.nullable() })
export const ExternalResourceView = z
  .object({
    title: z.string(),
    ready: z.boolean(),
    blocks: z.array(z.object({ type: z.literal('markdown'), text: z.string() })),
  })
  .meta({ id: 'ExternalResourceView' })

/** The icons that the console can draw for a channel. */
export const ChannelIcon = z.enum(['bell', 'braces', 'chat', 'hash', 'mail', 'plane'])
export type ChannelIcon = z.infer<typeof ChannelIcon>
export const ChannelGlyph = z.object({
  icon: ChannelIcon,
  /** On it white has a contrast of at least 4.5 : 1. */
  colour: z.string().describe('The colour behind the icon, such as `#176b5b`'),
})
export type ChannelGlyph = z.infer<typeof ChannelGlyph>

export const BlueprintView = z
  .object({
    fullname: z.string(),
    title: z.string(),
    description: z.string(),
    glyph: ChannelGlyph.describe('The mark by which people know the channel'),
    external: z.boolean(),
    configured: z.boolean().describe('Whether the operator has set the variables that the channel needs'),
    missing: z.array(z.string()).describe('The environment variables that the operator must set'),
    data: FreeForm.optional(),
    secrets: z
      .array(z.string())
      .optional()
      .describe('The fields of `data` that give access to the channel, so that forms mask them'),
    bot: z.object({ username: z.string() }).optional().describe('The bot that is opened with a setupToken'),
  })
  .meta({ id: 'Blueprint' })
