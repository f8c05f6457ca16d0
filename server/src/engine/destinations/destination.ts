import type { AlertState, ChannelGlyph, Message, Severity, ShownMessage } from '@tocsin/contract'
import type * as z from 'zod'
import type { PostDoor } from '../outbound/door.ts'
import type { Mailer } from './mail.ts'
import type { TelegramApi } from './telegram/api.ts'

/** The result of one attempt. `note` says what was sent otherwise than its template says. */
export type Sent = Outcome & { note?: string }

/** The receiver's answer, cut after some bytes. */
export type HttpAnswer = { headers: Record<string, string>; text: string }
/** What a channel that uses HTTP sends. It contains secrets. */
export type HttpRequest = { method: 'POST' | 'PATCH'; url: string; headers: Record<string, string>; body: string }

type Outcome =
  /** `reference` identifies the message on its channel, so that a retraction can edit it. */
  | { kind: 'sent'; status?: number; reference?: Record<string, unknown>; answer?: HttpAnswer }
  /** Retry, not before `afterMs` if the receiver set one. */
  | { kind: 'later'; reason: string; status?: number; afterMs?: number; answer?: HttpAnswer }
  /** The receiver will never accept this message. */
  | { kind: 'never'; reason: string; status?: number; answer?: HttpAnswer }
  /** The destination no longer works. Nothing is sent there until somebody fixes it. */
  | { kind: 'gone'; reason: string; status?: number; answer?: HttpAnswer }

/** The data of the alert behind a message. */
export type AlertContext = {
  alertId: string
  /** Absent if it was deleted. */
  subscription?: string
  workspace: string
  project: string
  trigger: string
  severity: Severity
  state: AlertState | null
  /** The firing alert that this one resolves, and how long it fired. */
  resolves?: string
  durationMs?: number
  /** The firing alert was sent so many times before. */
  repeat?: number
  /** The item is from a block before the subscription. */
  backfilled: boolean
  /** The output's raw value as JSON. */
  rawJson: string
  humanJson: string
  /** What the policy decided by, as JSON; absent without a policy. */
  policyJson?: string
  source?: string
  /** The title of the source. */
  network?: string
  block?: { number: number; hash: string }
  /** The time of the item. */
  itemAt?: Date
  /** The page of the alert in the console. */
  url?: string
  createdAt: Date
}

export type Delivery = {
  id: string
  /** alert: a new alert; retraction: a reorg removed the alert's cause; test: a user tests the subscription. */
  kind: 'alert' | 'retraction' | 'test'
  messageJson: string
  context: AlertContext
  /** The reason of a retraction. */
  reason?: string
  /** The `reference` from sending the alert that a retraction corrects or that a resolved alert resolves. */
  reference?: Record<string, unknown>
}

/** A resource: `data` is what users wrote, `private` is what the setup stored. */
export type Target = {
  resourceId: string
  fullname: string
  data: Record<string, unknown>
  private: Record<string, unknown>
}

/** The services that destinations use. */
export type DestinationDeps = {
  /** The door to addresses that users wrote. */
  door: PostDoor
  /** The door to addresses of the operator. It allows private networks. */
  operatorDoor: PostDoor
  /** The address of a channel's service: the operator's, else the public one. It has no slash at its end. */
  serviceUrl(service: Service): string
  clock: () => Date
  /** Absent if the operator has not configured it. */
  mail?: Mailer
  telegram?: TelegramApi
  rates: { emailPerMinute: number; webhookPerSecond?: number }
  /** The URL where a reader can pause the subscription. */
  unsubscribeUrl(subscriptionId: string): string
  /** The page of the console that lists the alerts of a subscription. */
  alertsUrl(workspace: string, subscriptionId: string): string
  /** The page of the console that shows an alert. */
  alertUrl(workspace: string, alertId: string): string
  /** The title of a built-in network by its full name; undefined for a custom source. */
  networkTitle(source: string): string | undefined
}

/** A rate limit for all deliveries with this key: bursts of `burst`, and on average one every `everyMs`. */
export type Limit = { key: string; everyMs: number; burst: number }

/** A service behind a channel that people can also host themselves. The operator can set its address. */
export type Service = {
  /** The environment variable with the address. */
  variable: string
  /** The address without that variable. */
  url: string
}

type Data = Record<string, unknown>
type Names = { title?: string | undefined; kind?: string | undefined; topic?: string | undefined }

/** A resource that its data describes completely. It is ready as soon as it is saved, unless the receiver must confirm. */
export type PlainSetup = {
  external: false
  data: z.ZodType<Data>
  /** The fields of `data` that give access to the channel. The console masks them after the first save. */
  secrets: readonly string[]
  /** True if the resource is ready only after the receiver has confirmed. */
  needsConfirmation?: true
  /** Adds values that the service generates, or that it keeps from the stored data. */
  fill?(data: Data, stored: Data | undefined): Data
  /** What to keep of the data that a save replaces. `kept` is what was kept before. Undefined keeps all as it is. */
  keep?(change: { before: Data; after: Data; kept: Data; now: Date }): Data | undefined
}

/** The setup state of an external resource; `off` means that it was set up and does not deliver. */
export type SetupState = { kind: 'open' } | { kind: 'ready' } | { kind: 'off'; remark: string }

/** A resource that is set up elsewhere: by a setup session in the messenger, or through the resource's token. */
export type ExternalSetup = {
  external: true
  /** The service name that the destination summary shows. */
  serviceName: string
  /** The setup result that may be submitted: the names that people see, and the address that the sender uses. */
  submission: z.ZodType<Names & Data>
  /** What to do next, as markdown. `link` opens the messenger's bot, if one is configured. */
  guide(state: SetupState, link: string | undefined): string[]
}

/** A channel: all that the service and the console need to know about it, in one record in one file. */
export type Destination = (PlainSetup | ExternalSetup) & {
  /** The full name of the blueprint. */
  blueprint: string
  title: string
  description: string
  glyph: ChannelGlyph
  /** The environment variables that the operator must still set before the channel works. */
  missing?(operator: Pick<DestinationDeps, 'mail' | 'telegram'>): readonly string[]
  service?: Service
  /** True if messages are sent one by one in order. A message that must wait delays the others. */
  ordered: boolean
  /** The largest number of deliveries in flight. */
  atOnce: number
  limits(target: Target, deps: DestinationDeps): Limit[]
  /** The body that would be sent, without secrets, and how people see it. A body that programs read has no `shown`. */
  preview(message: Message, context: AlertContext): { body: unknown; shown?: ShownMessage }
  send(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent>
  /** The request that `send` or `retract` makes at first; undefined if it makes none. For channels that use HTTP. */
  request?(delivery: Delivery, target: Target, deps: DestinationDeps): HttpRequest | undefined
  retract(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent>
}
