import type { Store } from '../../store/index.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { done, requireMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { lockEditable } from './find.ts'

export const deleteTrigger: Handler<'deleteTrigger'> = ({ account, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const rows = await lockEditable(store, account, [params.fullname])
    for (const row of rows) requireMatch(preconditions, row)
    await deleteAll(store, rows, now)
    return done
  })

/** Deletes the triggers with their drafts, and breaks the triggers that listened to their streams. */
export async function deleteAll(store: Store, rows: WholeTrigger[], now: Date): Promise<void> {
  await store.triggerDrafts.remove(rows.map((row) => row.fullname))
  await store.triggers.remove(rows.map((row) => row.id))
  for (const { fullname } of rows)
    await store.triggerStatuses.breakByStream(fullname, `the stream "${fullname}" was deleted`, now)
}
