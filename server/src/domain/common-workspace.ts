import { newToken } from '../store/core/secret-box.ts'
import type { Store } from '../store/index.ts'

/** Owns the projects that come with the service. Nobody can create a workspace of this name. */
export const commonWorkspace = 'common'

/** Creates the workspace of the marketplace, owned by the first account, in the transaction that creates the account. */
export async function addCommonWorkspace(store: Store, ownerId: string, now: Date): Promise<void> {
  const fields = { tags: [], labels: {}, meta: { title: 'Tocsin' } }
  const workspace = await store.workspaces.add(commonWorkspace, fields, newToken('invite'), now)
  if (workspace) await store.members.add(workspace.id, ownerId, 'owner', now)
}
