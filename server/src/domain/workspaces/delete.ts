import { requireLevel } from '../access.ts'
import { done, requireMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { removeWorkspace } from '../remove-workspace.ts'

export const deleteWorkspace: Handler<'deleteWorkspace'> = ({ account, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const member = await requireLevel(store, account, params.fullname, 'owner')
    const row = await store.workspaces.lock(member.id)
    if (!row) throw notFound()
    requireMatch(preconditions, row)
    if (await store.workspaces.ownsAnything(row.id)) throw new Refusal('workspace_not_empty')
    await removeWorkspace(store, row.id, now)
    return done
  })
