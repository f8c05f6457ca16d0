import { Page, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { requireReadableSource } from './find.ts'
import { sourceListView, sourceView } from './views.ts'

export const listCustomSources: Handler<'listCustomSources'> = async ({ account, query, store }) => {
  const { workspace, limit, cursor } = query
  const { rows, next } = await store.customSources.listReadable(account.id, { workspace }, { limit, after: cursor })
  return new Page(rows.map(sourceListView), next)
}

export const getCustomSource: Handler<'getCustomSource'> = async ({ account, params, store }) => {
  const row = await requireReadableSource(store, account, params.fullname)
  return new Tagged(sourceView(store, row, row.level), tagOf(row))
}
