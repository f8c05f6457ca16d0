import type { Store } from '../../store/index.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { done, requireMatch } from '../answers.ts'
import { type Actor, recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { lockEditable } from './find.ts'

export const deleteTrigger: Handler<'deleteTrigger'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const rows = await lockEditable(store, account, [params.fullname])
    for (const row of rows) requireMatch(preconditions, row)
    await deleteAll(store, rows, { account, ip, now })
    return done
  })

/** Deletes the triggers with their drafts, and breaks the triggers that listened to their streams. */
export async function deleteAll(store: Store, rows: WholeTrigger[], actor: Actor): Promise<void> {
  await store.triggerDrafts.remove(rows.map((row) => row.fullname))
  await store.triggers.remove(rows.map((row) => row.id))
  for (const { fullname, workspace_id: workspaceId } of rows) {
    await store.triggerStatuses.breakByStream(fullname, `the stream "${fullname}" was deleted`, actor.now)
    await recordChange(store, actor, { action: 'trigger.delete', workspaceId, fullname })
  }
}
