import type { Handler } from '../handler.ts'
import { holdEditable, requireEditable } from './find.ts'
import { untested } from './status.ts'
import { draftView } from './views.ts'

export const resetTriggerTestStatus: Handler<'resetTriggerTestStatus'> = ({ account, params, store, now }) =>
  store.tx(async (store) => {
    const { fullname } = params
    const [before] = await holdEditable(store, account, [fullname])
    const fresh = before?.definition_warning ?? { ...untested, updatedAt: now.toISOString() }
    const isReset = before?.status.status === fresh.status && before.status.reasonCode === fresh.reasonCode
    if (before && !isReset) await store.triggers.setStatus(before.id, fresh)
    const trigger = draftView(await requireEditable(store, account, fullname))
    return { fullname, dryRun: false, updated: !isReset, changedPaths: isReset ? [] : ['status'], trigger }
  })
