import { requireMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'

export const deleteAddress: Handler<'deleteAddress'> = ({ account, params, preconditions, store }) =>
  store.tx(async (store) => {
    const current = await store.addresses.lock(account.id, params.id)
    if (!current) throw notFound('There is no such address in your book.')
    requireMatch(preconditions, current)
    await store.addresses.remove(account.id, current.id)
    return undefined
  })
