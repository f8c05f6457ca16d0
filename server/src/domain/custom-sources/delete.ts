import { done, requireMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { lockSource } from './find.ts'

export const deleteCustomSource: Handler<'deleteCustomSource'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const row = await lockSource(store, account, params.fullname, 'admin')
    requireMatch(preconditions, row)
    await store.customSources.remove(row.id)
    // Removing the row ends the lease of the process that follows the source. A later source of this name, perhaps of other
    // people, starts from its head and without a history.
    await store.followers.remove(row.fullname)
    await store.sourceBlocks.removeAll(row.fullname)
    await store.sourceMinutes.removeAll(row.fullname)
    const reason = `The data source "${row.fullname}" was deleted.`
    await store.waitingAlerts.giveUp(row.fullname, reason, now)
    await store.histories.abortOf(row.fullname, reason, now)
    await store.triggerStatuses.breakBySource(row.fullname, reason, now)
    const { workspace_id: workspaceId, fullname } = row
    await recordChange(store, { account, ip, now }, { action: 'source.delete', workspaceId, fullname })
    return done
  })
