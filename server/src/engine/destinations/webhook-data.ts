import { randomBytes } from 'node:crypto'
import { HttpUrl } from '@tocsin/contract'
import * as z from 'zod'
import { isObject } from '../base/json.ts'
import { parseTemplate } from '../render/parse-template.ts'
import { jsonTemplate, whyNotJson } from './webhook-body.ts'

/** The data of a webhook resource: its URL, its secret, and what it adds to its requests. */

const headersMax = 32
const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/
const value = /^[\t\x20-\x7e]*$/
/** The service sets these itself, or they belong to the connection. */
const reserved =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-(?:id|timestamp|signature))$/i

const WebhookHeaders = z
  .record(z.string(), z.string().max(4096).regex(value, 'must be one line of printable ASCII characters'))
  .superRefine((headers, context) => {
    const names = Object.keys(headers)
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (names.length > headersMax) refuse([], `must have at most ${headersMax} headers`)
    for (const [at, given] of names.entries()) {
      if (!name.test(given)) refuse([given], 'must be the name of an HTTP header')
      if (reserved.test(given)) refuse([given], 'is set by the service')
      const isRepeated = names.slice(0, at).some((other) => other.toLowerCase() === given.toLowerCase())
      if (isRepeated) refuse([given], 'is given twice')
    }
  })

/** A template that renders to JSON. One without tags is checked at once. */
const WebhookBody = z
  .string()
  .min(1)
  .max(20_000)
  .superRefine((text, context) => {
    const parsed = parseTemplate(jsonTemplate(text))
    const problem = text.includes('{{') ? undefined : whyNotJson(text)
    const messages = parsed.ok ? [] : parsed.messages
    for (const message of [...messages, ...(problem === undefined ? [] : [`is not JSON: ${problem}`])])
      context.addIssue({ code: 'custom', message })
  })

/**
 * A secret of the Standard Webhooks convention: `whsec_` and bytes in base64. The convention advises 24 to 64 bytes.
 * Some receivers use fewer, and a short key is better than none, so shorter ones are accepted. A secret without the
 * prefix is the receiver's own text.
 */
export const secretPrefix = 'whsec_'
const bytesMin = 1
const bytesMax = 64
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const WebhookSecret = z
  .string()
  .min(1)
  .max(256)
  .refine(isWebhookSecret, `after "${secretPrefix}" come up to ${bytesMax} bytes in base64`)

function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(secretPrefix)) return true
  const encoded = text.slice(secretPrefix.length)
  const { length } = Buffer.from(encoded, 'base64')
  return base64.test(encoded) && length >= bytesMin && length <= bytesMax
}

function newWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(32).toString('base64')}`
}

export const WebhookData = z.looseObject({
  url: HttpUrl.describe('The URL that receives the requests'),
  secret: WebhookSecret.describe('The secret that signs the requests').optional(),
  headers: WebhookHeaders.describe('Headers that each request has in addition').optional(),
  body: WebhookBody.describe('A template that renders to JSON and replaces the default body').optional(),
})

type Data = Record<string, unknown>

/** A save without a secret keeps the stored one, because the receiver checks signatures with it. */
export function addSecret(data: Data, stored: Data | undefined): Data {
  return { ...data, secret: data.secret ?? stored?.secret ?? newWebhookSecret() }
}

/** After a change the former secret also signs for this long, so that a receiver can change later. */
const overlapMs = 24 * 3_600_000
const formerMax = 3

type Former = { secret: string; until: string }

/** Keeps the former secret. No view shows it. */
export function keepFormerSecret(change: { before: Data; after: Data; kept: Data; now: Date }): Data | undefined {
  const { before, after, kept, now } = change
  const { secret } = before
  if (typeof secret !== 'string' || secret === after.secret) return undefined
  const until = new Date(now.getTime() + overlapMs).toISOString()
  const older = formerSecretsIn(kept).filter((one) => one.until > now.toISOString() && one.secret !== secret)
  return { ...kept, formerSecrets: [{ secret, until }, ...older].slice(0, formerMax) }
}

export function formerSecretsIn({ formerSecrets }: Data): Former[] {
  if (!Array.isArray(formerSecrets)) return []
  return formerSecrets.flatMap((former: unknown) =>
    isObject(former) && typeof former.secret === 'string' && typeof former.until === 'string'
      ? [{ secret: former.secret, until: former.until }]
      : [],
  )
}
