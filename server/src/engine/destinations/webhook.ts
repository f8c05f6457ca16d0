import { makeIsoFormatter } from '../base/iso-time.ts'
import type { Webhook, WebhookQueue } from '../outbound/door.ts'
import { webhookRequest } from '../outbound/standard-webhooks.ts'
import { type Answer, isSuccess, sentFromAnswer, sentFromError } from './answers.ts'
import type { Delivery, Destination, DestinationDeps, Sent, Target } from './destination.ts'
import { signingKeys } from './sign-webhook.ts'

const timeoutMs = 15_000
const atOnce = 32
const types = { alert: 'alert', retraction: 'alert.retracted', test: 'alert.test' } as const

/** A signed POST after Standard Webhooks. The id is the alert's, so that a receiver can tell a repeat. */
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

function post(delivery: Delivery, target: Target, world: DestinationDeps): Promise<Sent> {
  const { webhook, queue, now } = made(delivery, target, world)
  const request = { ...webhookRequest(webhook, queue.keys), timeoutMs, responseBytesMax: 0 }
  return outcomeOf(world.door.post(queue.url, request), queue.url, now)
}

function enqueue(delivery: Delivery, target: Target, world: DestinationDeps): Promise<Sent> {
  const { webhook, queue, now } = made(delivery, target, world)
  return outcomeOf(world.door.enqueue(queue, webhook), queue.url, now)
}

type Made = { webhook: Webhook; queue: WebhookQueue; now: Date }

function made(delivery: Delivery, target: Target, world: DestinationDeps): Made {
  const now = world.clock()
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    webhook: { id: delivery.context.alertId, timestamp, body: bodyOf(delivery) },
    queue: { name: target.resourceId, url: String(target.data.url), keys: signingKeys(target, now), atOnce, timeoutMs },
    now,
  }
}

/** Only the answer is waited for here, so that what was sent is not kept until it comes. */
async function outcomeOf(answered: Promise<Answer & { tookMs?: number }>, url: string, now: Date): Promise<Sent> {
  try {
    const answer = await answered
    const { status, tookMs } = answer
    const sent = isSuccess(status) ? { kind: 'sent' as const, status } : sentFromAnswer(answer, new URL(url).host, now)
    return { ...sent, ...(tookMs !== undefined && { tookMs }) }
  } catch (error) {
    return sentFromError(error)
  }
}

const isoOf = makeIsoFormatter()

/** What lies in the store as JSON is put in as it is. */
function bodyOf({ kind, messageJson, context, reason }: Omit<Delivery, 'id'>): string {
  const { alertId, subscription, workspace, project, trigger, rawJson, humanJson, source, block } = context
  const [id, createdAt] = [JSON.stringify(alertId), isoOf(context.createdAt.getTime())]
  const about = JSON.stringify({ subscription, workspace, project, trigger }).slice(1, -1)
  const where = JSON.stringify({ source, block, createdAt, ...(kind === 'retraction' && { reason: reason ?? '' }) })
  const data = `{"id":${id},${about},"message":${messageJson},"raw":${rawJson},"human":${humanJson},${where.slice(1)}`
  return `{"type":"${types[kind]}","id":${id},"timestamp":"${createdAt}","data":${data}}`
}
