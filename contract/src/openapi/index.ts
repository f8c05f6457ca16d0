/** The contract as OpenAPI 3.1, built from the route table that the server and the SDK use. */

import * as z from 'zod'
import { AlertPolicy, AlertState } from '../alerts.ts'
import { Time } from '../base/common.ts'
import { scopeTable } from '../base/scopes.ts'
import { type RouteName, routes } from '../routes/index.ts'
import type { Route } from '../routes/route.ts'
import { Message } from '../subscriptions.ts'
import { Severity } from '../triggers/trigger-parts.ts'
import { errorExamples, errorSchemas } from './errors.ts'
import type { RecordedExamples } from './examples/index.ts'
import { headerComponents } from './headers.ts'
import { isRecord, type Json } from './json-schema.ts'
import { operation } from './operation.ts'
import { wordsOf } from './property-words.ts'
import { collectSchemas, type Schemas } from './schemas.ts'

export { examples as operationExamples, type RecordedExamples } from './examples/index.ts'
export { refusalsOf } from './refusals.ts'

/** `publicUrl` is where people find the service. Operations without an example of their own show what was recorded. */
export function openApi(version: string, publicUrl: string, recorded: RecordedExamples): Json {
  const schemas = collectSchemas(errorSchemas)
  const paths: Record<string, Json> = {}
  const table = Object.entries<Route>(routes) as [RouteName, Route][]
  for (const [name, route] of table) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, schemas, recorded) }
  }
  const sent = webhooks(schemas)
  return {
    openapi: '3.1.0',
    info: { ...info, version, contact: { name: 'The operator of this service', url: publicUrl } },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ bearer: [] }],
    tags: Object.keys(tagWords)
      .sort()
      .map((name) => ({ name, description: tagWords[name] })),
    paths: describeProperties(paths),
    webhooks: describeProperties(sent),
    components: {
      securitySchemes,
      headers: headerComponents,
      examples: errorExamples(table.map(([name]) => name)),
      schemas: describeSchemas(schemas.usedBy([paths, sent])),
    },
  }
}

const info = {
  title: 'Tocsin',
  summary: 'Tells people what happens on chain.',
  description: [
    'The API of a Tocsin service. Send `Authorization: Bearer <token>`; a signed-in account creates tokens at `POST /api/me/tokens`.',
    'PUT is a full save: an omitted optional field is cleared. Lists are pages: `limit` and `cursor`, and `Link` leads to the next page.',
    'Every error has a `code` for programs and a `message` for people. What an account may not see answers 404, what it may not do answers 403.',
    'The API grows by additions: ignore fields, codes and event types that you do not know.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    'x-scopes': scopeTable,
    description: [
      'A personal access token, a session token, or a token of the configured identity provider.',
      'A personal access token has scopes, and each operation names the one that it needs:',
      ...Object.entries(scopeTable).map(([scope, meaning]) => `\`${scope}\`: ${meaning}`),
    ].join('\n\n'),
  },
  session: { type: 'apiKey', in: 'cookie', name: 'tocsin_session', description: 'The session of the console.' },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'The value of the cookie `tocsin_csrf`. Changes by cookie need it; calls with a bearer token do not.',
  },
}

/** The groups of operations. */
const tagWords: Readonly<Record<string, string>> = {
  accounts: 'Sign-in, sessions and personal access tokens.',
  'address-lists': 'Lists of addresses that conditions name.',
  addresses: 'The address book of an account: names for addresses.',
  alerts: 'Alerts with their traces and deliveries, and the stream of events.',
  'custom-sources': 'Chains that a workspace connects by its own endpoints.',
  projects: 'Projects with their links, pictures, secrets and add-ons.',
  resources: 'Destinations of alerts: webhooks, chats, e-mail addresses.',
  search: 'Search by name or title.',
  stacks: 'Definitions as code: plan and apply many entities at once.',
  subscriptions: 'Who gets which alerts, under which conditions and where.',
  system: 'Health of the service, and schemas for editors.',
  templates: 'Sets of rules that people subscribe to together.',
  transfers: 'Moving a project to another workspace.',
  triggers: 'Definitions of what to watch on chain, with drafts, tests and imports.',
  webhooks: 'What the service sends to webhook resources.',
  workspaces: 'Workspaces and their members.',
}

/** Names of schemas whose properties have words under another name: specs, providers and policies are one thing each. */
const families: readonly (readonly [RegExp, string])[] = [
  [/Spec$/, 'triggerSpec'],
  [/Provider$/, 'providers'],
  [/Policy$/, 'policy'],
  [/^Subscription(?:Create|Save)?$/, 'subscription'],
]

/** Payloads of examples may hold schemas too, as values. */
const values = new Set(['example', 'examples', 'default', 'enum', 'const'])

/** Gives every property of a schema, and of those inside it, a description unless it has one. */
function describeProperties(schema: unknown, id = ''): unknown {
  return walk(schema, parentsOf(id))
}

/** The same for the named schemas of a document. */
function describeSchemas(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, describeProperties(schema, id)]))
}

function parentsOf(id: string): string[] {
  const plain = id.replace(/^Loose/, '').replace(/View$/, '')
  const family = families.flatMap(([pattern, name]) => (pattern.test(plain) ? name : []))
  return [...new Set([id, plain, ...family, plain.charAt(0).toLowerCase() + plain.slice(1)])]
}

function walk(value: unknown, parents: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => walk(each, parents))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (values.has(key)) return [key, inner]
      return [key, key === 'properties' && isRecord(inner) ? describe(inner, parents) : walk(inner, parents)]
    }),
  )
}

function describe(properties: Json, parents: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const inner = walk(property, [name])
      const text = isRecord(inner) && inner.description === undefined ? wordsOf(parents, name) : undefined
      return [name, text === undefined || !isRecord(inner) ? inner : { ...inner, description: text }]
    }),
  )
}

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
function webhooks(schemas: Schemas): Json {
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
