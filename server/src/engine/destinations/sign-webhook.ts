import { createHmac } from 'node:crypto'
import type { Target } from './destination.ts'

const prefix = 'whsec_'

/** The headers of Standard Webhooks. After a change of the secret, both sign for a while: a receiver changes when it can. */
export function signatureHeaders(target: Target, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed = secretsOf(target, now).map((secret) => sign(secret, `${id}.${timestamp}.${body}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signed.length > 0 && { 'webhook-signature': signed.join(' ') }),
  }
}

function sign(secret: string, text: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(text).digest('base64')}`
}

/** A secret of the convention is base64 behind its prefix; the characters of any other are the key. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)
}

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
