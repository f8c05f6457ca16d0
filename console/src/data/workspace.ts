import { useParams } from '@tanstack/react-router'
import type { Item } from './api.ts'
import { useApiList } from './lists.ts'

const storageName = 'tocsin-workspace'

export function rememberWorkspace(fullname: string): void {
  localStorage.setItem(storageName, fullname)
}

export function useWorkspaces() {
  return useApiList('listWorkspaces', {})
}

/** The workspace in the URL, else the last one opened, else the first one; undefined if the account has none. */
export function useCurrentWorkspace() {
  const { workspace } = useParams({ strict: false })
  const { items, isLoading, error, reload } = useWorkspaces()
  const wanted = workspace ?? localStorage.getItem(storageName)
  const current = items.find(({ fullname }) => fullname === wanted) ?? (workspace === undefined ? items[0] : undefined)
  return { current, isLoading, all: items, error, reload }
}

export type Level = 'owner' | 'admin' | 'developer' | 'user'
const ranks: Record<Level, number> = { owner: 3, admin: 2, developer: 1, user: 0 }

/** True if the role includes `wanted`. The console hides actions that the service would refuse. */
export function atLeast(level: Level | undefined, wanted: Level): boolean {
  return level !== undefined && ranks[level] >= ranks[wanted]
}

/** The workspace of a page below `/w/$workspace`. WorkspaceLayout renders such a page only if the workspace exists. */
export function useWorkspace(): Item<'listWorkspaces'> {
  const { workspace } = useParams({ strict: false })
  const { current } = useCurrentWorkspace()
  if (!current) throw new Error(`The workspace ${workspace} was not found.`)
  return current
}
