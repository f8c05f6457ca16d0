import type { SubscriptionRow } from '../../store/alerts/subscriptions.ts'
import type { Store } from '../../store/index.ts'
import type { Account } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'

export async function requireSubscription(store: Store, account: Account, id: string): Promise<SubscriptionRow> {
  const found = await store.subscriptions.find(id, account.id)
  if (!found) throw notFound('There is no such subscription that you may see.')
  return found
}

/** Owners and admins see the subscriptions of their workspace, but only its own account changes a subscription. */
export async function requireOwnSubscription(store: Store, account: Account, id: string): Promise<SubscriptionRow> {
  const found = await requireSubscription(store, account, id)
  if (found.account_id !== account.id) throw new Refusal('forbidden', 'This subscription belongs to another account.')
  return found
}

/** Like the function above, and locks the row until the transaction ends. */
export async function holdOwnSubscription(store: Store, account: Account, id: string): Promise<SubscriptionRow> {
  await store.subscriptions.lock(id)
  return requireOwnSubscription(store, account, id)
}
