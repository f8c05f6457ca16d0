import { EmptyState } from '../../components/empty-state.tsx'
import { IconStore } from '../../components/icons.tsx'
import { LinkButton } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { useApiList } from '../../data/lists.ts'
import { ProjectGrid } from './project-grid.tsx'
import { SubscribeButton } from './subscribe-button.tsx'

/** The first start of the service installs its public projects while people sign in already. */
const pollWhileEmptyMs = 3_000

export function MarketplacePage() {
  const list = useApiList('listProjects', { query: { scope: 'marketplace' } }, { pollWhileEmptyMs })
  return (
    <Page
      title="Marketplace"
      about="Projects that everyone on this service can subscribe to."
      actions={
        <LinkButton to="/open" variant="default">
          Open access link
        </LinkButton>
      }
    >
      <ProjectGrid
        list={list}
        linkTo={({ fullname }) => ({ to: '/marketplace/$project', params: { project: fullname } })}
        actionOf={({ fullname, meta }) => <SubscribeButton project={fullname} title={meta.title} />}
        empty={
          <EmptyState icon={IconStore} title="No public projects yet" text="Projects with public access appear here.">
            <LinkButton to="/">Go to projects</LinkButton>
          </EmptyState>
        }
      />
    </Page>
  )
}
