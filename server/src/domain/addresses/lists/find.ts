import type { MemberAddressListRow } from '../../../store/identity/address-lists.ts'
import type { Store } from '../../../store/index.ts'
import type { Account } from '../../handler.ts'
import { notFound } from '../../refusal.ts'

/** Only members of its workspace see an address list. */
export async function requireAddressList(
  store: Store,
  account: Account,
  fullname: string,
): Promise<MemberAddressListRow> {
  const found = await store.addressLists.findForMember(fullname, account.id)
  if (!found) throw notFound(`There is no address list "${fullname}" that you may see.`)
  return found
}
