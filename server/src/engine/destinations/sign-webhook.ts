import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Target } from './destination.ts'

type Webhook = { id: string; timestamp: string; body: string }

const prefix = 'whsec_'

/**
 * The headers of Standard Webhooks. After a change of the secret both keys sign for a while, the current one first, so that
 * the receiver can switch. Without a secret there is no signature.
 */
export function webhookHeaders(target: Target, { id, timestamp, body }: Webhook, now: Date): Record<string, string> {
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
  if (secret.startsWith(prefix)) return [secret.slice(prefix.length)]
  const characters = Buffer.from(secret).toString('base64')
  return bareSecret.test(secret) ? [characters, secret] : [characters]
}

/** Base64 of 24 to 64 bytes. */
const bareSecret = /^(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The current secret first. Without a current secret nothing is signed, even if there are former ones. */
function secretsOf({ data, private: stored }: Target, now: Date): string[] {
  if (typeof data.secret !== 'string' || data.secret === '') return []
  return [data.secret, ...formerSecrets(stored).flatMap(({ secret, until }) => (until > now ? [secret] : []))]
}

function formerSecrets(stored: Record<string, unknown>): { secret: string; until: Date }[] {
  if (!Array.isArray(stored.formerSecrets)) return []
  return stored.formerSecrets.flatMap((former: { secret?: unknown; until?: unknown }) =>
    typeof former?.secret === 'string' && typeof former.until === 'string'
      ? [{ secret: former.secret, until: new Date(former.until) }]
      : [],
  )
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
