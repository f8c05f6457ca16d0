import type { Store } from '../../store/index.ts'
import { type Actor, recordChange } from '../audit.ts'
import type { Plan } from './plan-patch.ts'

/** Writes a planned patch that changes something, in a transaction. */
export async function writePatch(store: Store, actor: Actor, { before, content, changedPaths: paths }: Plan) {
  const { id, fullname, workspace_id: workspaceId } = before
  await store.triggers.update(id, content, actor.now)
  await recordChange(store, actor, { action: 'trigger.patch', workspaceId, fullname, paths })
}
