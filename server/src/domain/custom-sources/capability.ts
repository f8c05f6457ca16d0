import type { Store } from '../../store/index.ts'
import type { Account, Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import type { Settings } from '../settings.ts'

export const getCustomSourceCreateCapability: Handler<'getCustomSourceCreateCapability'> = async ({
  account,
  store,
  settings,
}) => {
  const limit = settings.limits.customSources
  const used = await store.sourceLimits.countManaged(account.id)
  return {
    canCreateCustomSources: limit === null || used < limit,
    customSourcesUsed: used,
    customSourcesLimit: limit,
  }
}

/**
 * Runs inside the transaction that creates the source, under a lock, so that two creations do not both count the same
 * number.
 */
export async function requireUnderLimit(store: Store, account: Account, settings: Settings): Promise<void> {
  const limit = settings.limits.customSources
  if (limit === null) return
  await store.sourceLimits.lockQuota(account.id)
  const used = await store.sourceLimits.countManaged(account.id)
  if (used >= limit) throw new Refusal('limit_reached', `The operator allows ${limit} custom sources.`, { limit, used })
}
