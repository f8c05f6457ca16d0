import { replayAlert as sendAgain } from '../../runtime/deliver/replay.ts'
import type { Handler } from '../handler.ts'
import { requireAlert } from './read.ts'
import { traceView } from './views.ts'

/** Whoever sees the alert may have it sent again: it goes where it was meant to go, under the same id. */
export const replayAlert: Handler<'replayAlert'> = async ({ account, params, body, store, now }) => {
  const { id, status } = await requireAlert(store, account, params.id)
  await sendAgain(store, id, { all: status === 'delivered', ...body }, now)
  const row = await requireAlert(store, account, id)
  return traceView(row, await store.alerts.listDeliveries(id))
}
