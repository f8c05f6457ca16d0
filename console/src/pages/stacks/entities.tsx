import type { LinkProps } from '@tanstack/react-router'
import type { DefinitionKind } from '@tocsin/contract'
import { LinkText } from '../../components/link-text.tsx'
import type { Body } from '../../data/api.ts'

export type Entity = Body<'getStack'>['entities'][number]
export type Drift = Body<'planStack'>['drift'][number]

/** The names that the console uses. */
export const kindLabels: Record<DefinitionKind, string> = {
  project: 'Project',
  trigger: 'Trigger',
  template: 'Template',
  resource: 'Destination',
  source: 'Source',
  subscription: 'Subscription',
  'address-list': 'Address list',
}

export function isSame(one: Pick<Entity, 'kind' | 'fullname'>, other: Pick<Entity, 'kind' | 'fullname'>): boolean {
  return one.kind === other.kind && one.fullname === other.fullname
}

/** The name of an entity as a link to its page. */
export function EntityName({ workspace, entity }: { workspace: string; entity: Entity }) {
  const { fullname } = entity
  const link = linkTo(workspace, entity)
  return link ? (
    <LinkText {...link} className="mono">
      {fullname}
    </LinkText>
  ) : (
    <span className="mono">{fullname}</span>
  )
}

function linkTo(workspace: string, { kind, fullname, id, project }: Entity): LinkProps | undefined {
  switch (kind) {
    case 'project':
      return { to: '/w/$workspace/projects/$project', params: { workspace, project: fullname } }
    case 'trigger':
      return { to: '/w/$workspace/triggers/$trigger', params: { workspace, trigger: fullname } }
    case 'resource':
      return { to: '/w/$workspace/resources/$resource', params: { workspace, resource: fullname } }
    case 'source':
      return { to: '/w/$workspace/sources/$source', params: { workspace, source: fullname } }
    case 'address-list':
      return { to: '/w/$workspace/address-lists', params: { workspace } }
    case 'subscription':
      return id === undefined
        ? undefined
        : { to: '/w/$workspace/subscriptions/$subscription', params: { workspace, subscription: id } }
    case 'template':
      return id === undefined || project === undefined
        ? undefined
        : { to: '/w/$workspace/projects/$project/templates/$template', params: { workspace, project, template: id } }
  }
}
