import type { SubscriptionFilter, SubscriptionRow } from '../../store/alerts/subscriptions.ts'
import type { Store } from '../../store/index.ts'
import { requireMember, requireReadableProject, requireReadableTrigger } from '../access.ts'
import { Page, requireSeqCursor } from '../answers.ts'
import { readCounts } from '../counts.ts'
import type { Account, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { subscriptionViews, taggedSubscription } from './views.ts'

export const listSubscriptions: Handler<'listSubscriptions'> = async ({ account, query, store, settings }) => {
  const filter = await requireFilter(store, account, query)
  const page = { limit: query.limit, after: requireSeqCursor(query.cursor) }
  const { rows, next } = await store.subscriptions.list(account.id, filter, page)
  return new Page(await subscriptionViews({ store, account, settings }, rows), next)
}

export const getSubscription: Handler<'getSubscription'> = async ({ account, params, store, settings }) => {
  const row = await requireSubscription(store, account, params.id)
  return taggedSubscription({ store, account, settings }, row)
}

export const getSubscriptionCounts: Handler<'getSubscriptionCounts'> = async ({
  account,
  params,
  query,
  store,
  now,
}) => {
  const { id } = await requireSubscription(store, account, params.id)
  return readCounts(store, { kind: 'subscription', id }, query.range, now)
}

type Named = { workspace?: string | undefined; project?: string | undefined; trigger?: string | undefined }

async function requireFilter(store: Store, account: Account, { workspace, project, trigger }: Named) {
  const filter: SubscriptionFilter = {}
  if (workspace !== undefined) filter.workspaceId = (await requireMember(store, account, workspace)).id
  if (project !== undefined) filter.projectId = (await requireReadableProject(store, account, project)).id
  if (trigger !== undefined) filter.triggerId = (await requireReadableTrigger(store, account, trigger)).id
  return filter
}

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
