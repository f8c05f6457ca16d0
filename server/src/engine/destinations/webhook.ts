import { isObject } from '../base/is-object.ts'
import { sentFromAnswer, sentFromError } from './answers.ts'
import type { Delivery, Destination, DestinationDeps, HttpRequest, Sent, Target } from './destination.ts'
import { answerBytesMax } from './exchange.ts'
import { webhookHeaders } from './sign-webhook.ts'
import { standardBody, webhookBody } from './webhook-body.ts'

const timeoutMs = 15_000

/** Sends a signed POST in the form of Standard Webhooks. The id is the alert's id, so that a receiver can detect duplicates. */
export const webhook: Destination = {
  blueprint: 'common.delivery.webhook',
  ordered: false,
  atOnce: 32,
  limits: ({ data }, { rates }) =>
    rates.webhookPerSecond === undefined
      ? []
      : [{ key: `webhook ${data.url}`, everyMs: 1000 / rates.webhookPerSecond, burst: rates.webhookPerSecond }],
  preview: (message, context) =>
    JSON.parse(standardBody({ kind: 'alert', messageJson: JSON.stringify(message), context })),
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
