import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { isObject } from '../base/json.ts'
import { sentFromAnswer, sentFromError } from './answers.ts'
import type { Delivery, Destination, DestinationDeps, HttpRequest, Sent, Target } from './destination.ts'
import { answerBytesMax } from './exchange.ts'
import { standardBody, webhookBody } from './webhook-body.ts'
import { addSecret, formerSecretsIn, keepFormerSecret, secretPrefix, WebhookData } from './webhook-data.ts'

const timeoutMs = 15_000

/** Sends a signed POST in the form of Standard Webhooks. The id is the alert's id, so that a receiver can detect duplicates. */
export const webhook: Destination = {
  blueprint: 'common.delivery.webhook',
  title: 'Webhook',
  description:
    'Sends a signed POST request to your URL, following the Standard Webhooks convention. If you set no secret, the service makes one.',
  glyph: { icon: 'braces', colour: '#176b5b' },
  external: false,
  data: WebhookData,
  secrets: ['secret'],
  fill: addSecret,
  keep: keepFormerSecret,
  ordered: false,
  atOnce: 32,
  limits: ({ data }, { rates }) =>
    rates.webhookPerSecond === undefined
      ? []
      : [{ key: `webhook ${data.url}`, everyMs: 1000 / rates.webhookPerSecond, burst: rates.webhookPerSecond }],
  preview: (message, context) => ({
    body: JSON.parse(standardBody({ kind: 'alert', messageJson: JSON.stringify(message), context })),
  }),
  send: post,
  retract: post,
  request(delivery, target, deps) {
    const prepared = prepare(delivery, target, deps.clock())
    return 'kind' in prepared ? undefined : prepared.request
  },
}

async function post(delivery: Delivery, target: Target, { clock, door }: DestinationDeps): Promise<Sent> {
  const now = clock()
  const prepared = prepare(delivery, target, now)
  if ('kind' in prepared) return prepared
  const { request, note } = prepared
  const sent = await door
    .post(request.url, { ...request, timeoutMs, responseBytesMax: answerBytesMax })
    .then((answer) => sentFromAnswer(answer, request.url, now), sentFromError)
  return note === undefined ? sent : { ...sent, note }
}

/** A body template that does not render to JSON fails for good: the same alert would render to the same text again. */
function prepare(
  delivery: Delivery,
  target: Target,
  now: Date,
): { request: HttpRequest; note: string | undefined } | Sent {
  const body = webhookBody(delivery, target.data.body)
  if (!body.ok) return { kind: 'never', reason: body.reason }
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const webhook = { id: delivery.context.alertId, timestamp, body: body.text }
  const headers = {
    'content-type': 'application/json',
    ...lowerCaseNames(target.data.headers),
    ...webhookHeaders(target, webhook, now),
  }
  return { request: { method: 'POST', url: String(target.data.url), headers, body: body.text }, note: body.note }
}

/** Header names are compared in lower case with the ones that the service sets. */
function lowerCaseNames(headers: unknown): Record<string, string> {
  if (!isObject(headers)) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

type Webhook = { id: string; timestamp: string; body: string }

/**
 * The headers of Standard Webhooks. After a change of the secret both keys sign for a while, the current one first, so that
 * the receiver can switch. Without a secret there is no signature.
 */
function webhookHeaders(target: Target, { id, timestamp, body }: Webhook, now: Date): Record<string, string> {
  const keys = secretsOf(target, now).flatMap(keysOf)
  const signed = keys.map((key) => `v1,${sign(key, `${id}.${timestamp}.${body}`)}`)
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  return signed.length > 0 ? { ...headers, 'webhook-signature': signed.join(' ') } : headers
}

/**
 * The keys of a secret in base64. A Standard Webhooks secret is base64 after the prefix. Any other secret is used as text.
 * Libraries of the standard accept a secret without the prefix, so a secret that looks like base64 signs in both ways.
 */
function keysOf(secret: string): string[] {
  if (secret.startsWith(secretPrefix)) return [secret.slice(secretPrefix.length)]
  const characters = Buffer.from(secret).toString('base64')
  return bareSecret.test(secret) ? [characters, secret] : [characters]
}

/** Base64 of 24 to 64 bytes. */
const bareSecret = /^(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The current secret first. Without a current secret nothing is signed, even if there are former ones. */
function secretsOf({ data, private: stored }: Target, now: Date): string[] {
  if (typeof data.secret !== 'string' || data.secret === '') return []
  const former = formerSecretsIn(stored).filter(({ until }) => new Date(until) > now)
  return [data.secret, ...former.map(({ secret }) => secret)]
}

function sign(key: string, text: string): string {
  return createHmac('sha256', keyObjectOf(key)).update(text).digest('base64')
}

/** Signing with a KeyObject takes 3 µs; with the bytes of the key, of which Node makes one for each call, it takes 18 µs. */
const keyObjects = new Map<string, KeyObject>()
const keyObjectsMax = 1_000

function keyObjectOf(key: string): KeyObject {
  const known = keyObjects.get(key)
  if (known) return known
  if (keyObjects.size >= keyObjectsMax) keyObjects.clear()
  const made = createSecretKey(key, 'base64')
  keyObjects.set(key, made)
  return made
}
