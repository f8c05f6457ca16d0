import { HttpUrl } from '@tocsin/contract'
import * as z from 'zod'
import { Refusal } from '../refusal.ts'
import { type SetupState, telegramGuide, telegramSubmission } from './telegram-setup.ts'
import { newWebhookSecret, WebhookSecret } from './webhook-secret.ts'

/** What kinds of resources there are, as data. */

/** What the operator sets before the service can send. */
export type OperatorVariable = 'SMTP_URL' | 'MAIL_FROM' | 'TELEGRAM_BOT_TOKEN'

type Described = { fullname: string; title: string; description: string; needs?: readonly OperatorVariable[] }
type Data = Record<string, unknown>
type Names = { title?: string | undefined; kind?: string | undefined; topic?: string | undefined }

/** Its data says it all: ready as soon as it is saved, unless the receiver has to agree. */
export type PlainBlueprint = Described & {
  external: false
  data: z.ZodType<Data>
  /** Not ready before the receiver agreed. */
  needsConfirmation?: true
  /** Adds what the service makes itself, or keeps of the data that is stored now. */
  fill?(data: Data, stored: Data | undefined): Data
}
/** Set up elsewhere: by a setup session in the messenger, or by whoever holds the resource's token. */
export type ExternalBlueprint = Described & {
  external: true
  /** The service that a destination is told to be of. */
  service: string
  /** The setup result that may be submitted: what names the destination for people, and the address for the sender. */
  submission: z.ZodType<Names & Data>
  /** What to do next, as markdown. The link leads to the messenger's bot, where there is one. */
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
  description: 'Sends e-mail to an address whose owner has confirmed it by a link.',
  needs: ['SMTP_URL', 'MAIL_FROM'],
  external: false,
  needsConfirmation: true,
  data: z.looseObject({ to: z.email('must be an e-mail address').max(254).describe('Who receives the e-mail') }),
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
  description: 'Posts to a Telegram chat, group, channel or topic that is confirmed by the bot.',
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
    'Sends a POST request to a URL of yours, signed after the Standard Webhooks convention. Without a secret, one is made.',
  external: false,
  data: z.looseObject({
    url: HttpUrl.describe('Where the requests go'),
    secret: WebhookSecret.describe('Signs the requests').optional(),
  }),
  // A save without a secret must not break the receiver, which checks signatures by the stored one.
  fill: (data, stored) => ({ ...data, secret: data.secret ?? stored?.secret ?? newWebhookSecret() }),
}

/** Ordered by fullname, as every list is. */
export const blueprints: readonly Blueprint[] = [discord, email, slack, telegram, webhook]

export function requireBlueprint(fullname: string): Blueprint {
  const found = blueprints.find((blueprint) => blueprint.fullname === fullname)
  if (!found) throw new Refusal('unknown_blueprint', `There is no blueprint "${fullname}".`)
  return found
}
