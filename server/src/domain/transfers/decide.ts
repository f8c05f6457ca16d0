import type { Store } from '../../store/index.ts'
import type { TransferRow } from '../../store/projects/transfers.ts'
import type { Account, Handler } from '../handler.ts'
import { requirePending, requireRequest, type Side } from './requests.ts'
import { requestView } from './views.ts'

export const rejectTransfer: Handler<'rejectTransfer'> = async ({ account, params, body, store, now }) => {
  const decision = { id: params.id, side: 'target', status: 'rejected', reason: body.reason } as const
  return requestView(await decide(store, account, decision, now))
}

export const cancelTransfer: Handler<'cancelTransfer'> = async ({ account, params, body, store, now }) => {
  const decision = { id: params.id, side: 'source', status: 'cancelled', reason: body.reason } as const
  return requestView(await decide(store, account, decision, now))
}

type Decision = { id: string; side: Side; status: 'rejected' | 'cancelled'; reason: string | undefined }

async function decide(store: Store, account: Account, decision: Decision, now: Date): Promise<TransferRow> {
  const { id, side, status, reason } = decision
  await store.transferEndings.sweepExpired(now)
  return store.tx(async (store) => {
    await store.transfers.lock(id)
    requirePending(await requireRequest(store, account, id, side))
    return store.transfers.decide(id, { status, decidedBy: account.id, reason }, now)
  })
}
