import type { Body, Item } from '../../../data/api.ts'

export type Subscription = Body<'getSubscription'>
export type Template = Item<'listTemplates'>
export type Trigger = Item<'listTriggers'>

/** The title of a subscription, else that of its trigger, else its topics. */
export function nameOf({ meta, trigger, topics, project }: Subscription, titleOf: (trigger: string) => string): string {
  if (meta.title !== undefined) return meta.title
  if (trigger !== undefined) return titleOf(trigger)
  return topics ? `${project}: ${topics.join(', ')}` : project
}

/** The API sets `account` only for subscriptions of other accounts. */
export function isOwn({ account }: Subscription): boolean {
  return account === undefined
}

/** How far the history of a subscription is. */
export function describeHistory({ from, to, done, state, reason }: NonNullable<Subscription['history']>): string {
  if (state === 'failed') return `Failed at block ${done}${reason === undefined ? '' : `: ${reason}`}`
  if (state === 'done') return `Done: blocks ${from} to ${to}`
  return `Running: ${Math.max(0, done - from + 1)} of ${to - from + 1} blocks`
}
