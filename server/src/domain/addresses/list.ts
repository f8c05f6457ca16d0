import { Page } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { addressView } from './views.ts'

export const listAddresses: Handler<'listAddresses'> = async ({ account, query, store }) => {
  const { rows, next } = await store.addresses.list(account.id, { limit: query.limit, after: query.cursor })
  return new Page(rows.map(addressView), next)
}
