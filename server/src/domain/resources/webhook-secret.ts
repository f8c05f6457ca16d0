import { randomBytes } from 'node:crypto'
import * as z from 'zod'

/**
 * A secret of the Standard Webhooks convention: `whsec_` and bytes in base64. The convention advises 24 to 64 bytes.
 * Some receivers use fewer, and a short key is better than none, so shorter ones are accepted. A secret without the
 * prefix is the receiver's own text.
 */

const prefix = 'whsec_'
const bytesMin = 1
const bytesMax = 64
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export const WebhookSecret = z
  .string()
  .min(1)
  .max(256)
  .refine(isWebhookSecret, `after "${prefix}" come up to ${bytesMax} bytes in base64`)

function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(prefix)) return true
  const encoded = text.slice(prefix.length)
  const { length } = Buffer.from(encoded, 'base64')
  return base64.test(encoded) && length >= bytesMin && length <= bytesMax
}

export function newWebhookSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}
