import { requireMember } from '../../access.ts'
import { Page, Tagged, tagOf } from '../../answers.ts'
import type { Handler } from '../../handler.ts'
import { requireAddressList } from './find.ts'
import { addressListView } from './views.ts'

export const listAddressLists: Handler<'listAddressLists'> = async ({ account, query, store }) => {
  if (query.workspace !== undefined) await requireMember(store, account, query.workspace)
  const page = { limit: query.limit, after: query.cursor }
  const { rows, next } = await store.addressLists.listForMember(account.id, query.workspace, page)
  return new Page(rows.map(addressListView), next)
}

export const getAddressList: Handler<'getAddressList'> = async ({ account, params, store }) => {
  const row = await requireAddressList(store, account, params.fullname)
  return new Tagged(addressListView(row), tagOf(row))
}
