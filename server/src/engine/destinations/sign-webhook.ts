import type { Target } from './destination.ts'

const prefix = 'whsec_'

/** The signing keys in base64. After a change of the secret both keys sign for a while, so that the receiver can switch. */
export function signingKeys(target: Target, now: Date): string[] {
  return secretsOf(target, now).flatMap(keysOf)
}

/**
 * A Standard Webhooks secret is base64 after the prefix. Any other secret is used as text. Libraries of the standard accept
 * a secret without the prefix, so a secret that looks like base64 signs in both ways.
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

export function hasFormerSecrets({ private: stored }: Target): boolean {
  return formerSecrets(stored).length > 0
}

function formerSecrets(stored: Record<string, unknown>): { secret: string; until: Date }[] {
  if (!Array.isArray(stored.formerSecrets)) return []
  return stored.formerSecrets.flatMap((former: { secret?: unknown; until?: unknown }) =>
    typeof former?.secret === 'string' && typeof former.until === 'string'
      ? [{ secret: former.secret, until: new Date(former.until) }]
      : [],
  )
}
