import { useParams } from '@tanstack/react-router'
import type { Item } from './api.ts'
import { useCurrentWorkspace } from './workspace.ts'

/** The workspace of a page below `/w/$workspace`. WorkspaceLayout renders such a page only if the workspace exists. */
export function useWorkspace(): Item<'listWorkspaces'> {
  const { workspace } = useParams({ strict: false })
  const { current } = useCurrentWorkspace()
  if (!current) throw new Error(`The workspace ${workspace} was not found.`)
  return current
}
