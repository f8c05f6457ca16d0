import { requireMember } from '../access.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { shortView, workspaceView } from './views.ts'

export const listWorkspaces: Handler<'listWorkspaces'> = async ({ account, query, store }) => {
  const { rows, next } = await store.workspaces.listForMember(account.id, { limit: query.limit, after: query.cursor })
  return new Page(
    rows.map((row) => shortView(row, row.level)),
    next,
  )
}

export const getWorkspace: Handler<'getWorkspace'> = async ({ account, params, store }) => {
  const row = await requireMember(store, account, params.fullname)
  return new Tagged(await workspaceView(store, row, row.level), tagOf(row))
}
