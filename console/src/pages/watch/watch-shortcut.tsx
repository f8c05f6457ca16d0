import { Navigate } from '@tanstack/react-router'
import { PageLoading } from '../../components/page-loading.tsx'
import { useCurrentWorkspace } from '../../data/workspace.ts'

export function WatchShortcut() {
  const { current, isLoading } = useCurrentWorkspace()
  if (isLoading) return <PageLoading />
  if (!current) return <Navigate to="/first-steps" replace />
  return <Navigate to="/w/$workspace/watch" params={{ workspace: current.fullname }} replace />
}
