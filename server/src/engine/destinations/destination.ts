import type { AlertState, Message, Severity } from '@tocsin/contract'
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
  block?: { number: number; hash: string }
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
  door: PostDoor
  clock: () => Date
  /** Absent if the operator has not configured it. */
  mail?: Mailer
  telegram?: TelegramApi
  rates: { emailPerMinute: number; webhookPerSecond?: number }
  /** The URL where a reader can pause the subscription. */
  unsubscribeUrl(subscriptionId: string): string
  /** The page of the console that lists the alerts of a subscription. */
  alertsUrl(workspace: string, subscriptionId: string): string
}

/** A rate limit for all deliveries with this key: bursts of `burst`, and on average one every `everyMs`. */
export type Limit = { key: string; everyMs: number; burst: number }

/** One kind of channel: one file each. */
export type Destination = {
  blueprint: string
  /** True if messages are sent one by one in order. A message that must wait delays the others. */
  ordered: boolean
  /** The largest number of deliveries in flight. */
  atOnce: number
  limits(target: Target, deps: DestinationDeps): Limit[]
  /** The body that would be sent, without secrets. */
  preview(message: Message, context: AlertContext): unknown
  send(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent>
  /** The request that `send` or `retract` makes at first; undefined if it makes none. For channels that use HTTP. */
  request?(delivery: Delivery, target: Target, deps: DestinationDeps): HttpRequest | undefined
  retract(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent>
}
