import type { Message } from '@tocsin/contract'
import { sentBy, sentByError } from './answers.ts'
import type { AlertContext, Delivery, Destination, DestinationWorld, Sent, Target } from './destination.ts'
import { signatureHeaders } from './sign-webhook.ts'

const timeoutMs = 15_000
const types = { alert: 'alert', retraction: 'alert.retracted', test: 'alert.test' } as const

/** A signed POST after Standard Webhooks. The id is the alert's, so that a receiver can tell a repeat. */
export const webhook: Destination = {
  blueprint: 'common.delivery.webhook',
  ordered: false,
  atOnce: 32,
  limits: ({ data }, { rates }) =>
    rates.webhookPerSecond === undefined
      ? []
      : [{ key: `webhook ${data.url}`, everyMs: 1000 / rates.webhookPerSecond, burst: rates.webhookPerSecond }],
  preview: (message, context) => bodyOf({ kind: 'alert', message, context }),
  send: post,
  retract: post,
}

async function post(delivery: Delivery, target: Target, world: DestinationWorld): Promise<Sent> {
  const url = String(target.data.url)
  const body = JSON.stringify(bodyOf(delivery))
  const now = world.clock()
  const signature = signatureHeaders(target, delivery.context.alertId, body, now)
  const headers = { 'content-type': 'application/json', ...signature }
  try {
    const response = await world.door.post(url, { headers, body, timeoutMs, responseBytesMax: 0 })
    return sentBy(response, new URL(url).host, now)
  } catch (error) {
    return sentByError(error)
  }
}

function bodyOf({ kind, message, context, reason }: Omit<Delivery, 'id'>) {
  return {
    type: types[kind],
    id: context.alertId,
    timestamp: context.createdAt.toISOString(),
    data: { ...dataOf(message, context), ...(kind === 'retraction' && { reason: reason ?? '' }) },
  }
}

function dataOf(message: Message, context: AlertContext) {
  const { alertId: id, subscription, workspace, project, trigger, raw, human, source, block, createdAt } = context
  return { id, subscription, workspace, project, trigger, message, raw, human, source, block, createdAt }
}
