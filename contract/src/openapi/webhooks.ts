import * as z from 'zod'
import { AlertPolicy, AlertState } from '../alerts.ts'
import { Time } from '../base/common.ts'
import { Message } from '../subscriptions.ts'
import { Severity } from '../triggers/trigger-parts.ts'
import type { Json } from './json-schema.ts'
import type { Schemas } from './schemas.ts'

/** The default body of a webhook. A resource with a `body` template sends what the template renders. */
const WebhookData = z
  .object({
    id: z.string().describe('The id of the alert. A repeated delivery has the same one.'),
    subscription: z.string().optional().describe('Missing if the subscription was deleted.'),
    workspace: z.string(),
    project: z.string(),
    trigger: z.string(),
    severity: Severity,
    backfilled: z.boolean().describe('True if the item is from a block before the subscription.'),
    state: AlertState.nullable(),
    resolves: z.string().nullable().describe('The firing alert that this one resolves.'),
    durationMs: z.number().int().nullable().describe('How long the resolved alert fired.'),
    repeat: z.number().int().optional().describe('The number of a repeat of a firing alert, from 1.'),
    policy: AlertPolicy.nullable().describe('What the policy of the subscription decided by; null without a policy.'),
    message: Message,
    raw: z.unknown().describe('The output of the trigger for programs.'),
    human: z.unknown().describe('The output of the trigger for people.'),
    source: z.string().optional(),
    block: z.object({ number: z.number().int(), hash: z.string() }).optional(),
    createdAt: Time,
    reason: z.string().optional().describe('Of a retraction: why the alert was taken back.'),
  })
  .meta({ id: 'WebhookData' })

export const WebhookPayload = z
  .object({
    type: z.enum(['alert', 'alert.resolved', 'alert.retracted', 'alert.test']),
    id: z.string().describe('The id of the alert, as in the header `webhook-id`.'),
    timestamp: Time.describe('When the alert was created.'),
    data: WebhookData,
  })
  .meta({ id: 'WebhookPayload' })

const kinds = {
  alert: ['An alert', 'A subscription got an alert. A policy that resolves sends it with `data.state: firing`.'],
  'alert.resolved': [
    'A firing alert is over',
    'What the alert in `data.resolves` reported is over. `data.durationMs` says how long it lasted.',
  ],
  'alert.retracted': [
    'An alert is taken back',
    'The chain replaced the block of a delivered alert, so the alert is not true any more.',
  ],
  'alert.test': ['A test message', 'Somebody tested the resource or the subscription. Nothing happened on chain.'],
} as const

/** What the service sends to resources of the blueprint `common.delivery.webhook`. */
export function webhooks(schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(kinds).map(([type, [summary, description]]) => [
      type,
      { post: webhook(type, summary, description, schemas) },
    ]),
  )
}

function webhook(type: string, summary: string, description: string, schemas: Schemas): Json {
  const schema = schemas.of(WebhookPayload, 'output', 'webhook')
  return {
    operationId: `receive${type
      .split('.')
      .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
      .join('')}`,
    summary,
    description: `${description} Delivery is at least once: drop a repeat by \`webhook-id\`. The request is signed after the Standard Webhooks convention; \`verifyWebhook\` of the SDK checks it.`,
    tags: ['webhooks'],
    security: [],
    parameters: webhookHeaders,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'The receiver has the message. It is not sent again.' },
      '4XX': { description: 'The delivery is retried with backoff for about a day. `Retry-After` is respected.' },
      '5XX': { description: 'The delivery is retried with backoff for about a day. `Retry-After` is respected.' },
    },
  }
}

const webhookHeaders = [
  ['webhook-id', 'The id of the alert. A retry has the same id.'],
  ['webhook-timestamp', 'When this attempt was sent, in seconds since 1970. Refuse old ones.'],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`, one for each key of the secret, separated by spaces.',
  ],
].map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }))
