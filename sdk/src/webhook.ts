/** Checks the signature of webhooks in the form of Standard Webhooks, with Web Crypto alone. */

/** The headers of a request: an object with names in any case, or `Headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>
export type VerifyOptions = { now?: Date }

/** The webhook was not signed with the secret, or is too old or too new. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

const toleranceSeconds = 5 * 60
const secretPrefix = 'whsec_'

/**
 * Resolves to the parsed payload of a webhook, or throws a WebhookError. Pass the body as it arrived: parsed and
 * serialized again it may differ from what was signed.
 */
export async function verifyWebhook<Payload = unknown>(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { now = new Date() }: VerifyOptions = {},
): Promise<Payload> {
  const keys = keysOf(secret)
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    return requireHeader(headers, name)
  }) as [string, string, string]
  const seconds = requireRecent(time, now)
  const text = typeof payload === 'string' ? payload : new TextDecoder('utf-8', { ignoreBOM: true }).decode(payload)
  const expected = await Promise.all(keys.map((key) => sign(key, `${id}.${seconds}.${text}`)))
  const isSigned = signatures.split(' ').some((each) => {
    const [version, signature = ''] = each.split(',')
    return version === 'v1' && expected.some((right) => isSameText(signature, right))
  })
  if (!isSigned) throw new WebhookError('No signature of the webhook fits the secret.')
  return parse(text) as Payload
}

/**
 * A secret of Standard Webhooks is base64 after the prefix. The service uses another secret as text; libraries of the standard
 * read it as base64. Either fits.
 */
function keysOf(secret: string): Uint8Array<ArrayBuffer>[] {
  const isPrefixed = secret.startsWith(secretPrefix)
  const decoded = decodeKey(isPrefixed ? secret.slice(secretPrefix.length) : secret)
  if (isPrefixed && !decoded) throw new WebhookError('After "whsec_" the secret must be base64.')
  if (secret === '') throw new WebhookError('The secret is empty.')
  const characters = isPrefixed ? [] : [Uint8Array.from(new TextEncoder().encode(secret))]
  return decoded ? [decoded, ...characters] : characters
}

/** Undefined if the text is not base64. */
function decodeKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  const start = text.replace(/(?<!=)=+$/, '')
  // A last character alone has less than a byte, so it is left out, as the other implementations do.
  const digits = start.length % 4 === 1 ? start.slice(0, -1) : start
  const isBase64 = text.length >= 4 && text.length - start.length <= 2 && /^[A-Za-z0-9+/]+$/.test(digits)
  return isBase64 ? Uint8Array.from(atob(digits), (char) => char.charCodeAt(0)) : undefined
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : lastOf(headers, name)
  if (typeof value !== 'string' || value === '') throw new WebhookError(`The header ${name} is missing.`)
  return value
}

function lastOf(headers: Exclude<WebhookHeaders, Headers>, name: string) {
  return Object.entries(headers).findLast(([key]) => key.toLowerCase() === name)?.[1]
}

function requireRecent(time: string, now: Date): number {
  const seconds = Number.parseInt(time, 10)
  const ageSeconds = Math.floor(now.getTime() / 1000) - seconds
  if (Number.isNaN(seconds)) throw new WebhookError('The header webhook-timestamp is not a number of seconds.')
  if (ageSeconds > toleranceSeconds) throw new WebhookError('The webhook is older than 5 minutes.')
  if (ageSeconds < -toleranceSeconds) throw new WebhookError('The time of the webhook is more than 5 minutes ahead.')
  return seconds
}

async function sign(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text)))
  return btoa(String.fromCharCode(...bytes))
}

/** Compares all characters, so that the time tells nothing about how many are right. */
function isSameText(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let at = 0; at < expected.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WebhookError('The webhook is signed, but its payload is not JSON.', { cause: error })
  }
}
