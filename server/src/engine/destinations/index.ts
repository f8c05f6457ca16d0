/** The destinations of deliveries: one file for each blueprint. They know neither one another nor the store. */
import type { Message } from '@tocsin/contract'
import type { AlertContext, Destination } from './destination.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram/index.ts'
import { webhook } from './webhook.ts'

export { type ChannelOptions, type Channels, makeChannels } from './channels.ts'
export { deliveryOf } from './delivery-of.ts'
export type { AlertContext, Delivery, Destination, DestinationDeps, Limit, Sent, Target } from './destination.ts'
export { describeExchange, type Exchange } from './exchange.ts'

export { jsonTemplate, whyNotJson } from './webhook-body.ts'

const all = [discord, email, slack, telegram, webhook]
const destinations = new Map(all.map((destination) => [destination.blueprint, destination]))

/** Undefined for a blueprint that this version does not know. */
export function findDestination(blueprint: string): Destination | undefined {
  return destinations.get(blueprint)
}

/** The body that each channel would send. */
export function previewAll(message: Message, context: AlertContext): { blueprint: string; body: unknown }[] {
  return all.map(({ blueprint, preview }) => ({ blueprint, body: preview(message, context) }))
}

/** The body that a resource of this blueprint would get. */
export function previewFor(blueprint: string, message: Message, context: AlertContext): unknown {
  return findDestination(blueprint)?.preview(message, context)
}
