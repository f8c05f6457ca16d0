import type { Handler } from '../handler.ts'
import { holdEditable, requireEditable } from './find.ts'
import { untested } from './status.ts'
import { draftView } from './views.ts'

export const resetTriggerTestStatus: Handler<'resetTriggerTestStatus'> = ({ account, params, store, now }) =>
  store.tx(async (store) => {
    const { fullname } = params
    const [before] = await holdEditable(store, account, [fullname])
    const isReset = before?.status.status === 'not_tested'
    if (before && !isReset) await store.triggers.setStatus(before.id, { ...untested, updatedAt: now.toISOString() })
    const trigger = draftView(await requireEditable(store, account, fullname))
    return { fullname, dryRun: false, updated: !isReset, changedPaths: isReset ? [] : ['status'], trigger }
  })
