import { done, requireMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { requireHeldSource } from './find.ts'

export const deleteCustomSource: Handler<'deleteCustomSource'> = ({ account, params, ifMatch, store, now }) =>
  store.tx(async (store) => {
    const row = await requireHeldSource(store, account, params.fullname, 'admin')
    requireMatch(ifMatch, row)
    await store.customSources.remove(row.id)
    await store.triggers.breakBySource(row.fullname, `The data source "${row.fullname}" was deleted.`, now)
    return done
  })
