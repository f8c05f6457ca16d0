import { HttpUrl } from '@tocsin/contract'
import * as z from 'zod'
import { Refusal } from '../refusal.ts'
import { type SetupState, telegramGuide, telegramSubmission } from './telegram-setup.ts'
import { WebhookBody, WebhookHeaders } from './webhook-request.ts'
import { newWebhookSecret, WebhookSecret } from './webhook-secret.ts'

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
