import {
  type Icon,
  IconAddress,
  IconAlert,
  IconProject,
  IconResource,
  IconSource,
  IconSubscription,
  IconTrigger,
} from '../../components/icons.tsx'
import type { Body } from '../../data/api.ts'
import type { Command } from './commands.ts'

type Result = Body<'search'>['results'][number]
type Place = { group: string; icon: Icon; link: (workspace: string, name: string) => Command['link'] }

const places: Partial<Record<Result['kind'], Place>> = {
  trigger: {
    group: 'Triggers',
    icon: IconTrigger,
    link: (workspace, trigger) => ({ to: '/w/$workspace/triggers/$trigger', params: { workspace, trigger } }),
  },
  subscription: {
    group: 'Subscriptions',
    icon: IconSubscription,
    link: (workspace, subscription) => ({
      to: '/w/$workspace/subscriptions/$subscription',
      params: { workspace, subscription },
    }),
  },
  resource: {
    group: 'Destinations',
    icon: IconResource,
    link: (workspace, resource) => ({ to: '/w/$workspace/resources/$resource', params: { workspace, resource } }),
  },
  project: {
    group: 'Projects',
    icon: IconProject,
    link: (workspace, project) => ({ to: '/w/$workspace/projects/$project', params: { workspace, project } }),
  },
  source: {
    group: 'Sources',
    icon: IconSource,
    link: (workspace, source) => ({ to: '/w/$workspace/sources/$source', params: { workspace, source } }),
  },
  'address-list': {
    group: 'Address lists',
    icon: IconAddress,
    link: (workspace) => ({ to: '/w/$workspace/address-lists', params: { workspace } }),
  },
  alert: {
    group: 'Alerts',
    icon: IconAlert,
    link: (workspace, alert) => ({ to: '/w/$workspace/alerts/$alert', params: { workspace, alert } }),
  },
}

/** The results of the service as lines of the palette, group by group. Workspaces are listed without a search. */
export function resultCommands(results: readonly Result[], current: string | undefined): Command[] {
  const commands = results.flatMap((result) => toCommand(result, current))
  return [...Map.groupBy(commands, ({ group }) => group).values()].flat()
}

function toCommand({ kind, name, title, workspace }: Result, current: string | undefined): Command[] {
  const id = `${kind} ${name}`
  if (kind === 'address')
    return [{ id, group: 'Addresses', title: title ?? name, icon: IconAddress, link: { to: '/addresses' } }]
  if (kind === 'source' && workspace === undefined) return networkCommand(name, title ?? name, current)
  const place = places[kind]
  if (!place || workspace === undefined) return []
  const { group, icon, link } = place
  // The ids of subscriptions and alerts say nothing to people.
  const hint = kind === 'subscription' || kind === 'alert' ? workspace : name
  return [{ id, group, title: title ?? name, icon, hint, link: link(workspace, name) }]
}

/** Built-in networks belong to no workspace. Their page is in every one. */
function networkCommand(source: string, title: string, workspace: string | undefined): Command[] {
  if (workspace === undefined) return []
  const link = { to: '/w/$workspace/sources/$source', params: { workspace, source } } as const
  return [{ id: `source ${source}`, group: 'Sources', title, hint: 'Built-in network', icon: IconSource, link }]
}
