import { createHmac } from 'node:crypto'
import type { Target } from './destination.ts'

const prefix = 'whsec_'

/** The headers of Standard Webhooks. After a change of the secret, both sign for a while: a receiver changes when it can. */
export function signatureHeaders(target: Target, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const keys = secretsOf(target, now).flatMap(keysOf)
  const signed = keys.map((key) => sign(key, `${id}.${timestamp}.${body}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signed.length > 0 && { 'webhook-signature': signed.join(' ') }),
  }
}

function sign(key: Buffer, text: string): string {
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}

/**
 * A secret of the convention is base64 behind its prefix; the characters of any other are the key. The convention's
 * libraries let the prefix be left out, so what may be such a secret without it signs in both ways.
 */
function keysOf(secret: string): Buffer[] {
  if (secret.startsWith(prefix)) return [Buffer.from(secret.slice(prefix.length), 'base64')]
  return bareSecret.test(secret) ? [Buffer.from(secret), Buffer.from(secret, 'base64')] : [Buffer.from(secret)]
}

/** 24 to 64 bytes in base64. */
const bareSecret = /^(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The present one first. Without one nothing is signed, whatever there was before. */
function secretsOf({ data, private: kept }: Target, now: Date): string[] {
  if (typeof data.secret !== 'string' || data.secret === '') return []
  return [data.secret, ...formerSecrets(kept).flatMap(({ secret, until }) => (until > now ? [secret] : []))]
}

function formerSecrets(kept: Record<string, unknown>): { secret: string; until: Date }[] {
  if (!Array.isArray(kept.formerSecrets)) return []
  return kept.formerSecrets.flatMap((former: { secret?: unknown; until?: unknown }) =>
    typeof former?.secret === 'string' && typeof former.until === 'string'
      ? [{ secret: former.secret, until: new Date(former.until) }]
      : [],
  )
}
