import { createHmac } from 'node:crypto'
import type { OutboundPost, Webhook } from './door.ts'

/** Builds a Standard Webhooks request. Each key adds a signature, the current key first. Without keys there is no signature. */
export function webhookRequest(
  { id, timestamp, body }: Webhook,
  keys: readonly string[],
): Pick<OutboundPost, 'headers' | 'body'> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
  }
  const signed = keys.map((key) => `v1,${sign(key, `${id}.${timestamp}.${body}`)}`)
  if (signed.length > 0) headers['webhook-signature'] = signed.join(' ')
  return { headers, body }
}

function sign(key: string, text: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')
}
