import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/links.tsx'
import { Page, PageTabs, type Tab } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { type Entity, useEntity } from '../../data/queries.ts'
import { atLeast } from '../../data/workspace.ts'
import type { Project } from './access.ts'
import { ProjectFacts } from './project-header.tsx'

/** Header and tabs of the pages of one project. */
export function ProjectLayout({ children }: { children: (entity: Entity<Project>) => ReactNode }) {
  const { workspace = '', project = '' } = useParams({ strict: false })
  const { data, error, refetch } = useEntity('getProject', { fullname: project })
  if (!data) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <PageLoading />
  const { view } = data
  return (
    <Page
      title={view.meta.title}
      about={<ProjectFacts project={view} />}
      breadcrumb={
        <LinkText to="/w/$workspace/projects" params={{ workspace }}>
          Projects
        </LinkText>
      }
    >
      <PageTabs label="Project" tabs={tabsFor(view, { workspace, project })} />
      {children(data)}
    </Page>
  )
}

/** The tabs that this role may use. */
function tabsFor({ level }: Project, params: { workspace: string; project: string }): Tab[] {
  const forAll: Tab[] = [
    { title: 'Overview', link: { to: '/w/$workspace/projects/$project', params } },
    { title: 'Triggers', link: { to: '/w/$workspace/projects/$project/triggers', params } },
    { title: 'Templates', link: { to: '/w/$workspace/projects/$project/templates', params } },
  ]
  const forDevelopers: Tab[] = [{ title: 'Settings', link: { to: '/w/$workspace/projects/$project/settings', params } }]
  const forAdmins: Tab[] = [{ title: 'Access links', link: { to: '/w/$workspace/projects/$project/links', params } }]
  const forOwners: Tab[] = [{ title: 'Transfer', link: { to: '/w/$workspace/projects/$project/transfer', params } }]
  return [
    ...forAll,
    ...(atLeast(level, 'developer') ? forDevelopers : []),
    ...(atLeast(level, 'admin') ? forAdmins : []),
    ...(level === 'owner' ? forOwners : []),
  ]
}
