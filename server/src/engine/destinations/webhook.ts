import { isObject } from '../base/is-object.ts'
import type { QueuedWebhook, WebhookQueue } from '../outbound/door.ts'
import { webhookRequest } from '../outbound/standard-webhooks.ts'
import { type Answer, sentFromAnswer, sentFromError } from './answers.ts'
import type { Delivery, Destination, DestinationDeps, HttpRequest, Sent, Target } from './destination.ts'
import { answerBytesMax } from './exchange.ts'
import { hasFormerSecrets, signingKeys } from './sign-webhook.ts'
import { standardBody, webhookBody } from './webhook-body.ts'

const timeoutMs = 15_000
const atOnce = 32

/** Sends a signed POST in the form of Standard Webhooks. The id is the alert's id, so that a receiver can detect duplicates. */
export const webhook: Destination = {
  blueprint: 'common.delivery.webhook',
  ordered: false,
  atOnce,
  limits: ({ data }, { rates }) =>
    rates.webhookPerSecond === undefined
      ? []
      : [{ key: `webhook ${data.url}`, everyMs: 1000 / rates.webhookPerSecond, burst: rates.webhookPerSecond }],
  preview: (message, context) =>
    JSON.parse(standardBody({ kind: 'alert', messageJson: JSON.stringify(message), context })),
  send: post,
  retract: post,
  request: requestOf,
  rush: { handedOut: 250, send: enqueue },
}

async function post(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const prepared = prepare(delivery, target, deps)
  if ('kind' in prepared) return prepared
  const { webhook, queue, now, note } = prepared
  const request = { ...requestFor(webhook, queue), timeoutMs, responseBytesMax: answerBytesMax }
  return outcomeOf(deps.door.post(queue.url, request), queue.url, now, note)
}

function enqueue(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const prepared = prepare(delivery, target, deps)
  if ('kind' in prepared) return Promise.resolve(prepared)
  const { webhook, queue, now, note } = prepared
  return outcomeOf(deps.door.enqueue(queue, webhook), queue.url, now, note)
}

function requestOf(delivery: Delivery, target: Target, deps: DestinationDeps): HttpRequest | undefined {
  const prepared = prepare(delivery, target, deps)
  if ('kind' in prepared) return undefined
  const { webhook, queue } = prepared
  return { method: 'POST', url: queue.url, ...requestFor(webhook, queue) }
}

function requestFor({ id, timestamp, parts }: QueuedWebhook, queue: WebhookQueue) {
  return webhookRequest({ id, timestamp, body: parts.join('') }, queue)
}

type PreparedWebhook = { webhook: QueuedWebhook; queue: WebhookQueue; now: Date; note: string | undefined }

/** A body template that does not render to JSON fails for good: the same alert would render to the same text again. */
function prepare(delivery: Delivery, target: Target, deps: DestinationDeps): PreparedWebhook | Sent {
  const body = webhookBody(delivery, target.data.body)
  if (!body.ok) return { kind: 'never', reason: body.reason }
  const now = deps.clock()
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const webhook = { id: delivery.context.alertId, timestamp, parts: body.parts }
  return { webhook, queue: queueOf(target, now), now, note: body.note }
}

/** The queues of targets. A lane makes another target when it reads its resource again, so a change applies soon. */
const queues = new WeakMap<Target, WebhookQueue>()

/** Reading keys and headers takes as long as signing, so the webhooks of a target share its queue. */
function queueOf(target: Target, now: Date): WebhookQueue {
  const known = queues.get(target)
  if (known) return known
  const { resourceId: name, data } = target
  const [keys, headers] = [signingKeys(target, now), lowerCaseNames(data.headers)]
  const url = String(data.url)
  const queue = { name, url, keys, headers, atOnce, timeoutMs, responseBytesMax: answerBytesMax }
  // A former secret signs only for a while.
  if (!hasFormerSecrets(target)) queues.set(target, queue)
  return queue
}

/** Header names are compared in lower case with the ones that the service sets. */
function lowerCaseNames(headers: unknown): Record<string, string> {
  if (!isObject(headers)) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

/** Takes only the pending answer, so that the request's body can be freed while we wait. */
function outcomeOf(
  pendingAnswer: Promise<Answer & { tookMs?: number }>,
  url: string,
  now: Date,
  note: string | undefined,
): Promise<Sent> {
  return pendingAnswer.then((answer) => {
    const sent = sentFromAnswer(answer, url, now)
    if (answer.tookMs !== undefined) sent.tookMs = answer.tookMs
    if (note !== undefined) sent.note = note
    return sent
  }, sentFromError)
}
