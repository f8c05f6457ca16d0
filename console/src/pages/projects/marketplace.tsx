import { EmptyState } from '../../components/empty-state.tsx'
import { IconStore } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { useApiList } from '../../data/lists.ts'
import { ProjectGrid } from './project-grid.tsx'

export function MarketplacePage() {
  const list = useApiList('listProjects', { query: { scope: 'marketplace' } })
  return (
    <Page
      title="Marketplace"
      about="Projects that everybody on this service can subscribe to."
      actions={
        <LinkButton to="/open" variant="default">
          Open an access link
        </LinkButton>
      }
    >
      <ProjectGrid
        list={list}
        linkTo={({ fullname }) => ({ to: '/marketplace/$project', params: { project: fullname } })}
        empty={
          <EmptyState
            icon={IconStore}
            title="Nothing is published yet"
            text="A project appears here as soon as its access is set to public. Yours could be the first."
          >
            <LinkButton to="/">Go to your projects</LinkButton>
          </EmptyState>
        }
      />
    </Page>
  )
}
