import { useParams } from '@tanstack/react-router'
import type { Item } from './api.ts'
import { useCurrentWorkspace } from './workspace.ts'

/** Inside pages below `/w/$workspace`, where the frame has made sure that there is one. */
export function useWorkspace(): Item<'listWorkspaces'> {
  const { workspace } = useParams({ strict: false })
  const { current } = useCurrentWorkspace()
  if (!current) throw new Error(`The workspace ${workspace} is not there.`)
  return current
}
