import { done, requireMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { requireResourceLevel } from './find.ts'

export const deleteResource: Handler<'deleteResource'> = ({ account, params, preconditions, store }) =>
  store.tx(async (store) => {
    const { id } = await requireResourceLevel(store, account, params.fullname, 'admin')
    const row = await store.resources.lock({ id })
    if (!row) throw notFound()
    requireMatch(preconditions, row)
    await store.resources.remove(row.id)
    return done
  })
