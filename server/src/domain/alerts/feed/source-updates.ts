import type { StreamEvent } from '@tocsin/contract'
import type { SourceToFollow } from '../../../store/following/custom-sources.ts'
import type { Store } from '../../../store/index.ts'

export type SourceEvent = { workspaceId: string; isPublic: boolean; event: StreamEvent; key: string }
export type SourceUpdates = {
  all: SourceEvent[]
  /** The sources that changed since the last read. */
  changed: Set<SourceEvent>
  /** The workspaces of each account with an open stream. */
  workspaces: Map<string, Set<string>>
}

/** Two statements for any number of accounts and sources. `before` holds the last known state of each source. */
export async function readSourceUpdates(
  store: Store,
  accountIds: readonly string[],
  before: Map<string, string>,
): Promise<SourceUpdates> {
  const all = (await store.customSources.listAll()).map(eventOf)
  const members = await store.members.listOf(accountIds)
  // From here on nothing can fail, so no change is remembered that is not returned.
  const changed = new Set(all.filter(({ event, key }) => before.get(nameOf(event)) !== key))
  before.clear()
  for (const { event, key } of all) before.set(nameOf(event), key)
  const workspaces = new Map(accountIds.map((id) => [id, new Set<string>()]))
  for (const { account_id, workspace_id } of members) workspaces.get(account_id)?.add(workspace_id)
  return { all, changed, workspaces }
}

function nameOf({ data }: SourceEvent['event']): string {
  return 'fullname' in data ? data.fullname : ''
}

function eventOf({ fullname, status, runtime, workspace_id, public: isPublic }: SourceToFollow): SourceEvent {
  const data = {
    fullname,
    status: status.status,
    ...(status.message !== undefined && { message: status.message }),
    ...(runtime?.latestBlock !== undefined && { latestBlock: runtime.latestBlock }),
    ...(runtime?.processedBlock !== undefined && { processedBlock: runtime.processedBlock }),
    ...(runtime?.lag !== undefined && { lag: runtime.lag }),
    updatedAt: status.updatedAt,
  }
  return {
    workspaceId: workspace_id,
    isPublic,
    event: { event: 'source', data },
    key: JSON.stringify([isPublic, data]),
  }
}
