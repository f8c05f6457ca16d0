import type { Store } from '../../store/index.ts'
import type { Account } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import type { Settings } from '../settings.ts'

/** Refuses one more private project than the operator allows for an account. Without a limit no lock is taken. */
export async function requireUnderPrivateLimit(store: Store, account: Account, settings: Settings): Promise<void> {
  const limit = settings.limits.privateProjects
  if (limit === null) return
  await store.projects.lockPrivateCount(account.id)
  const used = await store.projects.countPrivate(account.id)
  if (used >= limit) throw new Refusal('limit_reached', limitMessage(limit), { limit, used })
}

export function limitMessage(limit: number): string {
  return `The operator allows ${limit} private projects, and all of them are in use.`
}
