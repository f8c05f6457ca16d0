import { statusAfterReset } from '../../store/triggers/trigger-status.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { lockEditable, requireEditable } from './find.ts'
import { draftView } from './views.ts'

export const resetTriggerTestStatus: Handler<'resetTriggerTestStatus'> = ({
  account,
  ip,
  params,
  store,
  now,
  settings,
}) =>
  store.tx(async (store) => {
    const { fullname } = params
    const [before] = await lockEditable(store, account, [fullname])
    const next = before && statusAfterReset(before, now)
    if (next) {
      await store.triggerStatuses.setStatus(before.id, next)
      if (before.data_source !== null) await store.triggerStatuses.breakByKnownParts(before.data_source, now)
      const change = { action: 'trigger.reset', workspaceId: before.workspace_id, fullname, paths: ['status'] } as const
      await recordChange(store, { account, ip, now }, change)
    }
    const trigger = draftView(await requireEditable(store, account, fullname), settings)
    const updated = next !== undefined
    return { fullname, dryRun: false, updated, changedPaths: updated ? ['status'] : [], trigger }
  })
