import type { Body, Item } from '../../../data/api.ts'

export type Subscription = Body<'getSubscription'>
export type Template = Item<'listTemplates'>
export type Trigger = Item<'listTriggers'>

/** The title of a subscription, else its trigger or topics. */
export function nameOf({ meta, trigger, topics, project }: Subscription): string {
  return meta.title ?? trigger ?? (topics ? `${project}: ${topics.join(', ')}` : project)
}

/** The API sets `account` only for subscriptions of other accounts. */
export function isOwn({ account }: Subscription): boolean {
  return account === undefined
}
