import type { ReplayChoice } from '../../store/alerts/deliveries.ts'
import type { Store } from '../../store/index.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { readTrace, requireAlert } from './read.ts'

/** Everyone who sees the alert may replay it. It goes to the same resources under the same id. */
export const replayAlert: Handler<'replayAlert'> = async (context) => {
  const { account, params, body, store, now } = context
  const { id, status, workspace_id: workspaceId } = await requireAlert(store, account, params.id)
  await store.tx(async (store) => {
    await sendAgain(store, id, { all: status === 'delivered', ...body }, now)
    await recordChange(store, context, { action: 'alert.replay', workspaceId, fullname: id })
  })
  return readTrace(store, await requireAlert(store, account, id))
}

/** Returns the number of resources that the alert goes to. A retracted alert is not sent again, a waiting one not yet. */
export function sendAgain(store: Store, alertId: string, choice: ReplayChoice, now: Date): Promise<number> {
  return store.tx(async (store) => {
    if (!(await store.deliveries.lockSendable(alertId))) return 0
    const resourceIds = await store.deliveries.replay(alertId, choice, now)
    await store.deliveries.updateAlertStatuses([alertId], now)
    await store.jobs.wakeLanes(resourceIds)
    return resourceIds.length
  })
}
