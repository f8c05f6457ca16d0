/** The destinations of deliveries: one record for each channel. They know neither one another nor the store. */

import type { ChannelPreview, Message } from '@tocsin/contract'
import type * as z from 'zod'
import type { PostDoor } from '../outbound/door.ts'
import type { AlertContext, Delivery, Destination, DestinationDeps, Service } from './destination.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import { makeMailer } from './mail.ts'
import { ntfy } from './ntfy.ts'
import { slack } from './slack.ts'
import { makeTelegramApi } from './telegram/api.ts'
import { telegram, telegramService } from './telegram/index.ts'
import { webhook } from './webhook.ts'

export type {
  AlertContext,
  Delivery,
  Destination,
  DestinationDeps,
  ExternalSetup,
  Limit,
  PlainSetup,
  Sent,
  SetupState,
  Target,
} from './destination.ts'
export { describeExchange, type Exchange } from './exchange.ts'

/** Ordered by blueprint, like every list. */
export const destinations: readonly Destination[] = [discord, email, ntfy, slack, telegram, webhook]
const byBlueprint = new Map(destinations.map((destination) => [destination.blueprint, destination]))

/** The services whose address the operator can set. */
export const services: readonly Service[] = destinations.flatMap(({ service }) => service ?? [])

/** Undefined for a blueprint that this version does not know. */
export function findDestination(blueprint: string): Destination | undefined {
  return byBlueprint.get(blueprint)
}

/** The body that each channel would send, and how people see it there. */
export function previewAll(message: Message, context: AlertContext): z.output<typeof ChannelPreview>[] {
  return destinations.map(({ blueprint, preview }) => ({ blueprint, ...preview(message, context) }))
}

/** The body that a resource of this blueprint would get. */
export function previewFor(blueprint: string, message: Message, context: AlertContext): unknown {
  return findDestination(blueprint)?.preview(message, context).body
}

export type ChannelOptions = {
  /** The door to addresses that users wrote. */
  door: PostDoor
  /** The door to addresses of the operator. It allows private networks. */
  operatorDoor: PostDoor
  smtp?: { smtpUrl: string; from: string } | undefined
  telegram?: { token: string } | undefined
  /** The addresses that the operator has set, by the variables of the services. */
  serviceUrls?: Readonly<Record<string, string>>
  rates: DestinationDeps['rates']
  unsubscribeUrl: DestinationDeps['unsubscribeUrl']
  alertsUrl: DestinationDeps['alertsUrl']
  alertUrl: DestinationDeps['alertUrl']
  networkTitle: DestinationDeps['networkTitle']
}
export type Channels = Omit<DestinationDeps, 'clock'>

/** Makes the channels that the operator has configured. */
export function makeChannels(options: ChannelOptions): Channels & { close(): void } {
  const {
    door,
    operatorDoor,
    smtp,
    telegram,
    serviceUrls = {},
    rates,
    unsubscribeUrl,
    alertsUrl,
    alertUrl,
    networkTitle,
  } = options
  const serviceUrl = ({ variable, url }: Service) => serviceUrls[variable] ?? url
  const mail = smtp && makeMailer(smtp)
  return {
    door,
    operatorDoor,
    serviceUrl,
    rates,
    unsubscribeUrl,
    alertsUrl,
    alertUrl,
    networkTitle,
    ...(mail && { mail }),
    ...(telegram && {
      telegram: makeTelegramApi(operatorDoor, { ...telegram, apiUrl: serviceUrl(telegramService) }),
    }),
    close: () => mail?.close(),
  }
}

/** A delivery as the store has it. */
type StoredDelivery = {
  id: string
  alert_id: string
  kind: 'alert' | 'retraction'
  repeat: number
  content: Pick<AlertContext, 'workspace' | 'project' | 'trigger' | 'severity' | 'state' | 'backfilled'> & {
    messageJson: string
    rawJson: string
    humanJson: string
    policyJson?: string | null
    reason: string | null
    subscription_id: string | null
    resolves: string | null
    duration_ms: string | number | null
    source: string | null
    /** The source of the alert, or of its trigger if no item caused the alert; and its title, if it is a custom source. */
    network_source?: string | null
    network?: string | null
    item_at: Date
    block_number: string | number | null
    block_hash: string | null
    alerted_at: Date
  }
  reference: Record<string, unknown> | null
  /** Set if the message tells of other alerts too. */
  folded?: unknown
}

/** The delivery as destinations take it. Assignments cost a fraction of objects that are spread into it. */
export function deliveryOf(stored: StoredDelivery, deps: Places): Delivery {
  const { id, kind, content, reference, folded } = stored
  const { messageJson, reason } = content
  const context = contextOf(stored)
  addNetwork(context, content, deps)
  if (folded === undefined) addPlace(context, content, deps)
  const delivery: Delivery = { id, kind, messageJson, context }
  if (reason !== null) delivery.reason = reason
  if (reference !== null) delivery.reference = reference
  return delivery
}

type Places = Pick<DestinationDeps, 'alertUrl' | 'networkTitle'>

function addNetwork(context: AlertContext, content: StoredDelivery['content'], { networkTitle }: Places): void {
  const network = content.network ?? networkTitle(content.network_source ?? '')
  if (network !== undefined) context.network = network
}

/** Where and when the item of the alert happened, and the page of the alert. */
function addPlace(context: AlertContext, content: StoredDelivery['content'], { alertUrl }: Places): void {
  const { block_number: number, block_hash: hash, item_at: itemAt } = content
  const url = alertUrl(content.workspace, context.alertId)
  context.itemAt = itemAt
  if (url !== '') context.url = url
  if (number !== null && hash !== null) context.block = { number: Number(number), hash }
}

function contextOf({ alert_id, repeat, content }: StoredDelivery): AlertContext {
  const { subscription_id: subscription, resolves, duration_ms: durationMs, source } = content
  const context: AlertContext = {
    alertId: alert_id,
    workspace: content.workspace,
    project: content.project,
    trigger: content.trigger,
    severity: content.severity,
    state: content.state,
    backfilled: content.backfilled,
    rawJson: content.rawJson,
    humanJson: content.humanJson,
    createdAt: content.alerted_at,
  }
  if (content.policyJson) context.policyJson = content.policyJson
  if (subscription !== null) context.subscription = subscription
  if (resolves !== null) context.resolves = resolves
  if (durationMs !== null) context.durationMs = Number(durationMs)
  if (repeat > 0) context.repeat = repeat
  if (source !== null) context.source = source
  return context
}
