import { isTransferKey } from '../../store/projects/transfers.ts'
import { requireLevel } from '../access.ts'
import { Page, requireCursor } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { requestView } from './views.ts'

export const listTransferRequests: Handler<'listTransferRequests'> = async ({ account, query, store, now }) => {
  await store.transferEndings.sweepExpired(now)
  const workspace =
    query.workspace === undefined ? undefined : await requireLevel(store, account, query.workspace, 'admin')
  const { rows, next } = await store.transfers.listForManager(
    account.id,
    { workspaceId: workspace?.id, direction: query.direction, status: query.status },
    { limit: query.limit, after: requireCursor(query.cursor, isTransferKey) },
  )
  return new Page(rows.map(requestView), next)
}
