import type { Target } from './destination.ts'

const prefix = 'whsec_'

/** In base64. After a change of the secret, both sign for a while: a receiver changes when it can. */
export function signingKeys(target: Target, now: Date): string[] {
  return secretsOf(target, now).flatMap(keysOf)
}

/**
 * A secret of the convention is base64 behind its prefix; the characters of any other are the key. The convention's
 * libraries let the prefix be left out, so what may be such a secret without it signs in both ways.
 */
function keysOf(secret: string): string[] {
  if (secret.startsWith(prefix)) return [secret.slice(prefix.length)]
  const characters = Buffer.from(secret).toString('base64')
  return bareSecret.test(secret) ? [characters, secret] : [characters]
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
