import type { Store } from '../../store/index.ts'
import { type Actor, recordChange } from '../audit.ts'
import type { Settings } from '../settings.ts'
import type { Plan } from './plan-patch.ts'
import { recordVersion } from './record-version.ts'

type Patching = Actor & { store: Store; settings: Settings }

/** Writes a planned patch that changes something, in a transaction. */
export async function writePatch(actor: Patching, { before, content, changedPaths: paths }: Plan): Promise<void> {
  const { store, settings, account, now } = actor
  const { id, fullname, workspace_id: workspaceId } = before
  await store.triggers.update(id, content, now)
  await recordVersion({ store, settings, after: { id, ...content }, accountId: account.id, now })
  await recordChange(store, actor, { action: 'trigger.patch', workspaceId, fullname, paths })
}
