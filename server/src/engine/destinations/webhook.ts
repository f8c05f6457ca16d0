import { makeIsoFormatter } from '../base/iso-time.ts'
import type { Webhook, WebhookQueue } from '../outbound/door.ts'
import { webhookRequest } from '../outbound/standard-webhooks.ts'
import { type Answer, isSuccess, sentFromAnswer, sentFromError } from './answers.ts'
import type { AlertContext, Delivery, Destination, DestinationDeps, Sent, Target } from './destination.ts'
import { signingKeys } from './sign-webhook.ts'

const timeoutMs = 15_000
const atOnce = 32
const types = { retraction: 'alert.retracted', test: 'alert.test' } as const

/** Sends a signed POST in the form of Standard Webhooks. The id is the alert's id, so that a receiver can detect duplicates. */
export const webhook: Destination = {
  blueprint: 'common.delivery.webhook',
  ordered: false,
  atOnce,
  limits: ({ data }, { rates }) =>
    rates.webhookPerSecond === undefined
      ? []
      : [{ key: `webhook ${data.url}`, everyMs: 1000 / rates.webhookPerSecond, burst: rates.webhookPerSecond }],
  preview: (message, context) => JSON.parse(bodyOf({ kind: 'alert', messageJson: JSON.stringify(message), context })),
  send: post,
  retract: post,
  rush: { handedOut: 250, send: enqueue },
}

function post(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const { webhook, queue, now } = prepare(delivery, target, deps)
  const request = { ...webhookRequest(webhook, queue.keys), timeoutMs, responseBytesMax: 0 }
  return outcomeOf(deps.door.post(queue.url, request), queue.url, now)
}

function enqueue(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const { webhook, queue, now } = prepare(delivery, target, deps)
  return outcomeOf(deps.door.enqueue(queue, webhook), queue.url, now)
}

type PreparedWebhook = { webhook: Webhook; queue: WebhookQueue; now: Date }

function prepare(delivery: Delivery, target: Target, deps: DestinationDeps): PreparedWebhook {
  const now = deps.clock()
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    webhook: { id: delivery.context.alertId, timestamp, body: bodyOf(delivery) },
    queue: { name: target.resourceId, url: String(target.data.url), keys: signingKeys(target, now), atOnce, timeoutMs },
    now,
  }
}

/** Takes only the pending answer, so that the request's body can be freed while we wait. */
async function outcomeOf(pendingAnswer: Promise<Answer & { tookMs?: number }>, url: string, now: Date): Promise<Sent> {
  try {
    const answer = await pendingAnswer
    const { status, tookMs } = answer
    const sent = isSuccess(status) ? { kind: 'sent' as const, status } : sentFromAnswer(answer, new URL(url).host, now)
    return { ...sent, ...(tookMs !== undefined && { tookMs }) }
  } catch (error) {
    return sentFromError(error)
  }
}

const isoOf = makeIsoFormatter()

/** Builds the body as text, because the store has the parts as JSON already. */
function bodyOf({ kind, messageJson, context, reason }: Omit<Delivery, 'id'>): string {
  const { alertId, subscription, workspace, project, trigger, rawJson, humanJson, source, block } = context
  const [id, createdAt] = [JSON.stringify(alertId), isoOf(context.createdAt.getTime())]
  const about = JSON.stringify({ subscription, workspace, project, trigger, ...stateOf(context) }).slice(1, -1)
  const where = JSON.stringify({ source, block, createdAt, ...(kind === 'retraction' && { reason: reason ?? '' }) })
  const data = `{"id":${id},${about},"message":${messageJson},"raw":${rawJson},"human":${humanJson},${where.slice(1)}`
  const alertType = context.state === 'resolved' ? 'alert.resolved' : 'alert'
  const type = kind === 'alert' ? alertType : types[kind]
  return `{"type":"${type}","id":${id},"timestamp":"${createdAt}","data":${data}}`
}

function stateOf({ severity, backfilled, state, resolves, durationMs, repeat }: AlertContext) {
  return { severity, backfilled, state, resolves: resolves ?? null, durationMs: durationMs ?? null, repeat }
}
