import { Navigate } from '@tanstack/react-router'
import { PageFailure } from '../../components/loaded.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { useCurrentWorkspace } from '../../data/workspace.ts'

/**
 * Redirects to the home page of the current workspace. An account that has no workspace or never received an alert goes
 * to the first steps.
 */
export function HomePage() {
  const { current, isLoading, error, reload } = useCurrentWorkspace()
  const alerts = useApiQuery('listAlerts', { query: { limit: '1' } })
  if (isLoading || alerts.isPending) return <PageLoading />
  if (!current && error) return <PageFailure title="Home" error={error} retry={reload} />
  if (!current || alerts.data?.length === 0) return <Navigate to="/first-steps" replace />
  return <Navigate to="/w/$workspace/home" params={{ workspace: current.fullname }} replace />
}
