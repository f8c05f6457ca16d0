import { DefinitionKind } from '@tocsin/contract'

/** The folder of each kind of entity, in the order in which entities depend on each other. */
export const foldersOfKinds = {
  source: 'sources',
  'address-list': 'address-lists',
  project: 'projects',
  resource: 'resources',
  template: 'templates',
  trigger: 'triggers',
  subscription: 'subscriptions',
} as const satisfies Record<DefinitionKind, string>

/** One entity of a stack: the payload of its PUT, with `key` for templates and subscriptions. */
export type Entity = { kind: DefinitionKind; payload: Record<string, unknown> }

export const kinds = DefinitionKind.options

/** The name of an entity in a plan: the key of a template or a subscription, else the fullname. */
export function nameOf({ kind, payload }: Entity): string {
  return String((kind === 'template' || kind === 'subscription' ? payload.key : payload.fullname) ?? '')
}

/** The kind and the name: unique in a stack. */
export function entityId(entity: Entity): string {
  return `${entity.kind} ${nameOf(entity)}`
}
