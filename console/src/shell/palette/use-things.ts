import { useMemo } from 'react'
import { IconProject, IconResource, IconSource, IconSubscription, IconTrigger } from '../../components/icons.tsx'
import { useApiList } from '../../data/lists.ts'
import type { Command } from './commands.ts'

type Named = { name: string; title?: string | undefined }

/** The things of a workspace, read when the palette opens. */
export function useThings(workspace: string | undefined): Command[] {
  const args = { query: { workspace } }
  const options = { enabled: workspace !== undefined }
  const triggers = useApiList('listTriggers', args, options).items
  const subscriptions = useApiList('listSubscriptions', args, options).items
  const resources = useApiList('listResources', args, options).items
  const projects = useApiList('listProjects', args, options).items
  const sources = useApiList('listCustomSources', args, options).items
  return useMemo(() => {
    if (workspace === undefined) return []
    const make = (group: string, icon: Command['icon'], { name, title }: Named, link: Command['link']): Command => ({
      id: `${group} ${name}`,
      group,
      title: title ?? name,
      hint: title === undefined ? undefined : name,
      icon,
      link,
    })
    return [
      ...triggers.map(({ fullname: trigger, meta }) =>
        make(
          'Triggers',
          IconTrigger,
          { name: trigger, title: meta.title },
          {
            to: '/w/$workspace/triggers/$trigger',
            params: { workspace, trigger },
          },
        ),
      ),
      ...subscriptions.map(({ id, meta, trigger, project }) =>
        make(
          'Subscriptions',
          IconSubscription,
          { name: trigger ?? project, title: meta.title },
          {
            to: '/w/$workspace/subscriptions/$subscription',
            params: { workspace, subscription: id },
          },
        ),
      ),
      ...resources.map(({ fullname: resource, meta }) =>
        make(
          'Destinations',
          IconResource,
          { name: resource, title: meta.title },
          {
            to: '/w/$workspace/resources/$resource',
            params: { workspace, resource },
          },
        ),
      ),
      ...projects.map(({ fullname: project, meta }) =>
        make(
          'Projects',
          IconProject,
          { name: project, title: meta.title },
          {
            to: '/w/$workspace/projects/$project',
            params: { workspace, project },
          },
        ),
      ),
      ...sources.map(({ fullname: source, meta }) =>
        make(
          'Sources',
          IconSource,
          { name: source, title: meta.title },
          {
            to: '/w/$workspace/sources/$source',
            params: { workspace, source },
          },
        ),
      ),
    ]
  }, [workspace, triggers, subscriptions, resources, projects, sources])
}
