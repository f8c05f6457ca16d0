import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'

export type Blueprint = Item<'listBlueprints'>
export type Resource = Item<'listResources'>

const freshMs = 5 * 60_000

/** The channels of this service. They change only when the operator restarts it. */
export function useBlueprints() {
  return useApiList('listBlueprints', {}, { freshMs })
}

/** `common.delivery.webhook` → `webhook` */
export function kindOf(blueprint: string): string {
  return blueprint.split('.').at(-1) ?? blueprint
}

export function titleOf(blueprint: string, known: Blueprint[]): string {
  return known.find(({ fullname }) => fullname === blueprint)?.title ?? kindOf(blueprint)
}

/** Says what the operator must set to turn the channel on. */
export function offText({ title, external, missing }: Pick<Blueprint, 'title' | 'external' | 'missing'>): string {
  return `${title} ${external ? 'setup ' : ''}is off. The operator must set ${missing.join(' and ')}.`
}

/** The destination without its secret parts: a host, an e-mail address or the title of a chat. */
export function targetOf({
  data,
  destinationSummary,
}: Pick<Resource, 'data' | 'destinationSummary'>): string | undefined {
  if (destinationSummary) return [destinationSummary.title, destinationSummary.topic].filter(Boolean).join(' · ')
  if (typeof data?.to === 'string') return data.to
  if (typeof data?.url === 'string' && URL.canParse(data.url)) return `${new URL(data.url).host}/…`
  return undefined
}
