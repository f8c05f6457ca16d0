import { done, requireMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { requireResourceLevel } from './find.ts'

export const deleteResource: Handler<'deleteResource'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const { id } = await requireResourceLevel(store, account, params.fullname, 'admin')
    const row = await store.resources.lock({ id })
    if (!row) throw notFound()
    requireMatch(preconditions, row)
    await store.resources.remove(row.id)
    const { workspace_id: workspaceId, fullname } = row
    await recordChange(store, { account, ip, now }, { action: 'resource.delete', workspaceId, fullname })
    return done
  })
