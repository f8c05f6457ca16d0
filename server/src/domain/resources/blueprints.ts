import { randomBytes } from 'node:crypto'
import { HttpUrl } from '@tocsin/contract'
import * as z from 'zod'
import { jsonTemplate, whyNotJson } from '../../engine/destinations/index.ts'
import { parseTemplate } from '../../engine/render/parse-template.ts'
import { Refusal } from '../refusal.ts'
import { type SetupState, telegramGuide, telegramSubmission } from './telegram-setup.ts'

/** What a webhook resource adds to its requests: headers, and a body of its own. */

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

const prefix = 'whsec_'
const bytesMin = 1
const bytesMax = 64
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const WebhookSecret = z
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

function newWebhookSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

/** The blueprints: every kind of resource, as data. */

/** The variables that the operator must set before the service can send to this blueprint. */
export type OperatorVariable = 'SMTP_URL' | 'MAIL_FROM' | 'TELEGRAM_BOT_TOKEN'

type Described = { fullname: string; title: string; description: string; needs?: readonly OperatorVariable[] }
type Data = Record<string, unknown>
type Names = { title?: string | undefined; kind?: string | undefined; topic?: string | undefined }

/**
 * A resource that its data describes completely. It is ready as soon as it is saved, unless the receiver must confirm.
 */
export type PlainBlueprint = Described & {
  external: false
  data: z.ZodType<Data>
  /** True if the resource is ready only after the receiver has confirmed. */
  needsConfirmation?: true
  /** Adds values that the service generates, or that it keeps from the stored data. */
  fill?(data: Data, stored: Data | undefined): Data
}
/** A resource that is set up elsewhere: by a setup session in the messenger, or through the resource's token. */
export type ExternalBlueprint = Described & {
  external: true
  /** The service name that the destination summary shows. */
  service: string
  /** The setup result that may be submitted: the names that people see, and the address that the sender uses. */
  submission: z.ZodType<Names & Data>
  /** What to do next, as markdown. `link` opens the messenger's bot, if one is configured. */
  guide(state: SetupState, link: string | undefined): string[]
}
export type Blueprint = PlainBlueprint | ExternalBlueprint

const discord: PlainBlueprint = {
  fullname: 'common.delivery.discord',
  title: 'Discord',
  description: 'Posts to a Discord channel through an incoming webhook of that channel.',
  external: false,
  data: z.looseObject({ url: HttpUrl.describe('The URL of the incoming webhook') }),
}

const email: PlainBlueprint = {
  fullname: 'common.delivery.email',
  title: 'E-mail',
  description: 'Sends e-mail to an address that its owner has confirmed through a link.',
  needs: ['SMTP_URL', 'MAIL_FROM'],
  external: false,
  needsConfirmation: true,
  data: z.looseObject({
    to: z.email('must be an e-mail address').max(254).describe('The address that receives the e-mail'),
  }),
}

const slack: PlainBlueprint = {
  fullname: 'common.delivery.slack',
  title: 'Slack',
  description: 'Posts to a Slack channel through an incoming webhook of that channel.',
  external: false,
  data: z.looseObject({ url: HttpUrl.describe('The URL of the incoming webhook') }),
}

const telegram: ExternalBlueprint = {
  fullname: 'common.delivery.telegram',
  title: 'Telegram',
  description: 'Posts to a Telegram chat, group, channel or topic that the bot has confirmed.',
  needs: ['TELEGRAM_BOT_TOKEN'],
  external: true,
  service: 'telegram',
  submission: telegramSubmission,
  guide: telegramGuide,
}

const webhook: PlainBlueprint = {
  fullname: 'common.delivery.webhook',
  title: 'Webhook',
  description:
    'Sends a signed POST request to your URL, following the Standard Webhooks convention. If you set no secret, the service makes one.',
  external: false,
  data: z.looseObject({
    url: HttpUrl.describe('The URL that receives the requests'),
    secret: WebhookSecret.describe('The secret that signs the requests').optional(),
    headers: WebhookHeaders.describe('Headers that each request has in addition').optional(),
    body: WebhookBody.describe('A template that renders to JSON and replaces the default body').optional(),
  }),
  // A save without a secret keeps the stored one, because the receiver checks signatures with it.
  fill: (data, stored) => ({ ...data, secret: data.secret ?? stored?.secret ?? newWebhookSecret() }),
}

/** Ordered by fullname, like every list. */
export const blueprints: readonly Blueprint[] = [discord, email, slack, telegram, webhook]

export function requireBlueprint(fullname: string): Blueprint {
  const found = blueprints.find((blueprint) => blueprint.fullname === fullname)
  if (!found) throw new Refusal('unknown_blueprint', `There is no blueprint "${fullname}".`)
  return found
}
