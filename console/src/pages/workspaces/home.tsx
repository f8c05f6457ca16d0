import { Navigate } from '@tanstack/react-router'
import { useCurrentWorkspace } from '../../data/workspace.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { IconWorkspace } from '../../parts/icons.tsx'
import { LinkButton } from '../../parts/link-button.tsx'
import { Page } from '../../parts/page.tsx'
import { PageLoading } from '../../shell/page-loading.tsx'

/** The start: the workspace last looked at, or the way to a first one. */
export function HomePage() {
  const { current, isLoading } = useCurrentWorkspace()
  if (isLoading) return <PageLoading />
  if (current) return <Navigate to="/w/$workspace/projects" params={{ workspace: current.fullname }} replace />
  return (
    <Page title="Welcome">
      <EmptyState
        icon={IconWorkspace}
        title="Begin with a workspace"
        text="A workspace owns projects, sources and the places alerts are sent to. Create one, or open the invite link that somebody sent you to join theirs."
      >
        <LinkButton to="/workspaces/new">Create a workspace</LinkButton>
        <LinkButton to="/marketplace" variant="default">
          Look around first
        </LinkButton>
      </EmptyState>
    </Page>
  )
}
