import type { Store } from '../../store/index.ts'
import type { TransferRow } from '../../store/projects/transfers.ts'
import type { Actor } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { recordTransfer } from './record.ts'
import { requirePending, requireRequest, type Side } from './requests.ts'
import { requestView } from './views.ts'

export const rejectTransfer: Handler<'rejectTransfer'> = async ({ params, body, store, ...actor }) => {
  const decision = { id: params.id, side: 'target', status: 'rejected', reason: body.reason } as const
  return requestView(await decide(store, actor, decision))
}

export const cancelTransfer: Handler<'cancelTransfer'> = async ({ params, body, store, ...actor }) => {
  const decision = { id: params.id, side: 'source', status: 'cancelled', reason: body.reason } as const
  return requestView(await decide(store, actor, decision))
}

type Decision = { id: string; side: Side; status: 'rejected' | 'cancelled'; reason: string | undefined }

async function decide(store: Store, actor: Actor, decision: Decision): Promise<TransferRow> {
  const { account, now } = actor
  const { id, side, status, reason } = decision
  await store.transferEndings.sweepExpired(now)
  return store.tx(async (store) => {
    await store.transfers.lock(id)
    requirePending(await requireRequest(store, account, id, side))
    const row = await store.transfers.decide(id, { status, decidedBy: account.id, reason }, now)
    await recordTransfer(store, actor, status === 'rejected' ? 'transfer.reject' : 'transfer.cancel', row)
    return row
  })
}
