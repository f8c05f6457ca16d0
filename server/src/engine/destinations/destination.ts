import type { Message } from '@tocsin/contract'
import type { PostDoor } from '../outbound/door.ts'
import type { Mailer } from './mail.ts'
import type { TelegramApi } from './telegram/api.ts'

/** The words that destinations share with the loop that sends. */

/** What became of one attempt, and how long it took where that is not as long as whoever asked has waited. */
export type Sent = Outcome & { tookMs?: number }

type Outcome =
  /** `reference` names the message on its channel, so that it can be corrected. */
  | { kind: 'sent'; status?: number; reference?: Record<string, unknown> }
  /** To be tried again, not before `afterMs` where the other side said so. */
  | { kind: 'later'; reason: string; status?: number; afterMs?: number }
  /** This message will never be taken. */
  | { kind: 'never'; reason: string; status?: number }
  /** The destination will not come back by itself: nothing goes there until somebody has looked at it. */
  | { kind: 'gone'; reason: string; status?: number }

/** What stands behind a message. */
export type AlertContext = {
  alertId: string
  /** Absent when it was deleted since. */
  subscription?: string
  workspace: string
  project: string
  trigger: string
  /** As JSON. */
  rawJson: string
  humanJson: string
  source?: string
  block?: { number: number; hash: string }
  createdAt: Date
}

export type Delivery = {
  id: string
  /** alert: as it was found; retraction: its cause was taken back; test: somebody tries the subscription out. */
  kind: 'alert' | 'retraction' | 'test'
  messageJson: string
  context: AlertContext
  /** Why it was taken back. */
  reason?: string
  /** What the channel answered when the alert went out: what a retraction corrects. */
  reference?: Record<string, unknown>
}

/** A resource as its destination sees it: what people wrote into it, and what its setup left. */
export type Target = {
  resourceId: string
  fullname: string
  data: Record<string, unknown>
  private: Record<string, unknown>
}

/** What destinations may touch. */
export type DestinationDeps = {
  door: PostDoor
  clock: () => Date
  /** Absent where the operator has set none up. */
  mail?: Mailer
  telegram?: TelegramApi
  rates: { emailPerMinute: number; webhookPerSecond?: number }
  /** Where whoever gets the messages of a subscription can pause it. */
  unsubscribeUrl(subscriptionId: string): string
}

/** No more than `burst` at once and one each `everyMs` on average, for all that share the key. */
export type Limit = { key: string; everyMs: number; burst: number }

/** One kind of channel: one file each. */
export type Destination = {
  blueprint: string
  /** Messages arrive one after the other, in the order in which they were made; one that has to wait holds up the rest. */
  ordered: boolean
  /** How many may be on their way at once. */
  atOnce: number
  limits(target: Target, world: DestinationDeps): Limit[]
  /** The body as it is sent, without secrets. */
  preview(message: Message, context: AlertContext): unknown
  send(delivery: Delivery, target: Target, world: DestinationDeps): Promise<Sent>
  /** How alerts go out where many wait: so many are handed out, on their way or before. Throws NotSent. */
  rush?: { handedOut: number; send: Destination['send'] }
  retract(delivery: Delivery, target: Target, world: DestinationDeps): Promise<Sent>
}
