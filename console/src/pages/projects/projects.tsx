import { EmptyState } from '../../components/empty-state.tsx'
import { IconPlus, IconProject } from '../../components/icons.tsx'
import { LinkButton } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { useApiList } from '../../data/lists.ts'
import { useApiQuery } from '../../data/queries.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import { ProjectGrid } from './project-grid.tsx'

export function ProjectsPage() {
  const { fullname: workspace, level } = useWorkspace()
  const list = useApiList('listProjects', { query: { workspace } })
  const { data: capability } = useApiQuery('getProjectCreateCapability', {})
  const mayCreate = atLeast(level, 'admin') && capability?.canCreateProjects !== false
  const create = mayCreate && (
    <LinkButton to="/w/$workspace/projects/new" params={{ workspace }} leftSection={<IconPlus />}>
      Create project
    </LinkButton>
  )
  return (
    <Page
      title="Projects"
      about="A project holds the triggers of one dapp and the templates that people subscribe to."
      actions={list.items.length > 0 && create}
    >
      <ProjectGrid
        list={list}
        linkTo={({ fullname }) => ({ to: '/w/$workspace/projects/$project', params: { workspace, project: fullname } })}
        empty={
          <EmptyState
            icon={IconProject}
            title="No projects yet"
            text={
              mayCreate
                ? 'Create a project, then add triggers that watch a chain.'
                : (capability?.reason ?? 'An admin of this workspace can create the first project.')
            }
          >
            {create}
            <LinkButton to="/marketplace" variant="default">
              Browse marketplace
            </LinkButton>
          </EmptyState>
        }
      />
    </Page>
  )
}
