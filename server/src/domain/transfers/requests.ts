import type { Store } from '../../store/index.ts'
import type { MemberTransferRow } from '../../store/projects/transfers.ts'
import { requireRank } from '../access.ts'
import type { Account } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'

export type Side = 'source' | 'target'

/** Members of either workspace see the request. Only an owner of the given side may decide it. */
export async function requireRequest(
  store: Store,
  account: Account,
  id: string,
  side: Side,
): Promise<MemberTransferRow> {
  const found = await store.transfers.findForMember(id, account.id)
  if (!found) throw notFound('There is no transfer request with this id that you may see.')
  requireRank(side === 'source' ? found.source_level : found.target_level, 'owner')
  return found
}

export function requirePending(request: MemberTransferRow): void {
  if (request.status !== 'pending') throw notPending(request.status)
}

export function notPending(status: MemberTransferRow['status']): Refusal {
  return new Refusal('request_not_pending', `This transfer request is ${status}.`, { status })
}
