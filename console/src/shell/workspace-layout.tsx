import { Outlet, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { EmptyState } from '../components/empty-state.tsx'
import { IconWorkspace } from '../components/icons.tsx'
import { LinkButton } from '../components/links.tsx'
import { PageFailure } from '../components/loaded.tsx'
import { PageLoading } from '../components/page-loading.tsx'
import { rememberWorkspace, useCurrentWorkspace } from '../data/workspace.ts'

/** Parent of the pages of a workspace. It stores the workspace as the last one opened, and shows a message to non-members. */
export function WorkspaceLayout() {
  const { workspace } = useParams({ from: '/shell/w/$workspace' })
  const { current, isLoading, error, reload } = useCurrentWorkspace()
  useEffect(() => {
    if (current) rememberWorkspace(current.fullname)
  }, [current])
  if (isLoading) return <PageLoading />
  if (current) return <Outlet />
  if (error) return <PageFailure title={workspace} error={error} retry={reload} />
  return (
    <EmptyState
      isPage
      icon={IconWorkspace}
      title={`You are not a member of ${workspace}`}
      text="The workspace may have been deleted, or you need an invite from one of its admins."
    >
      <LinkButton to="/">Go to home</LinkButton>
    </EmptyState>
  )
}
