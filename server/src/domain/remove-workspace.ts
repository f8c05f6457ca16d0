import type { Store } from '../store/index.ts'

/** The workspace must be locked and own neither projects nor custom sources. */
export async function removeWorkspace(store: Store, id: string, now: Date): Promise<void> {
  await store.transferEndings.failPendingInto(id, 'The target workspace was deleted.', now)
  await store.workspaces.remove(id)
}
