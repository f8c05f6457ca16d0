import type { Body, Item } from '../../../data/api.ts'

export type Subscription = Body<'getSubscription'>
export type Template = Item<'listTemplates'>
export type Trigger = Item<'listTriggers'>

/** What it is called, or what it is about. */
export function nameOf({ meta, trigger, topics, project }: Subscription): string {
  return meta.title ?? trigger ?? (topics ? `${project}: ${topics.join(', ')}` : project)
}

/** Whose it is is told only of others'. */
export function isOwn({ account }: Subscription): boolean {
  return account === undefined
}

export const noResource = 'It has no resource: alerts are listed, and delivered nowhere.'
