import { makeIso } from '../iso-time.ts'
import { sentBy, sentByError } from './answers.ts'
import type { Delivery, Destination, DestinationWorld, Sent, Target } from './destination.ts'
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
  preview: (message, context) => JSON.parse(bodyOf({ kind: 'alert', message, context })),
  send: post,
  retract: post,
}

async function post(delivery: Delivery, target: Target, world: DestinationWorld): Promise<Sent> {
  const url = String(target.data.url)
  const body = bodyOf(delivery)
  const now = world.clock()
  const signature = signatureHeaders(target, delivery.context.alertId, body, now)
  const headers = { 'content-type': 'application/json', ...signature }
  try {
    const response = await world.door.post(url, { headers, body, timeoutMs, responseBytesMax: 0 })
    const { status } = response
    return status >= 200 && status < 300 ? { kind: 'sent', status } : sentBy(response, new URL(url).host, now)
  } catch (error) {
    return sentByError(error)
  }
}

const isoOf = makeIso()

/** What lies in the store as JSON is put in as it is. */
function bodyOf({ kind, message, context, reason }: Omit<Delivery, 'id'>): string {
  const { alertId, subscription, workspace, project, trigger, rawJson, humanJson, source, block } = context
  const [id, createdAt] = [JSON.stringify(alertId), isoOf(context.createdAt.getTime())]
  const about = JSON.stringify({ subscription, workspace, project, trigger, message }).slice(1, -1)
  const where = JSON.stringify({ source, block, createdAt, ...(kind === 'retraction' && { reason: reason ?? '' }) })
  const data = `{"id":${id},${about},"raw":${rawJson},"human":${humanJson},${where.slice(1)}`
  return `{"type":"${types[kind]}","id":${id},"timestamp":"${createdAt}","data":${data}}`
}
