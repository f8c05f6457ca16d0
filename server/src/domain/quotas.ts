import type { Store } from '../store/index.ts'
import { Refusal } from './refusal.ts'
import type { Quotas, Settings } from './settings.ts'

type Measure = {
  noun: string
  used(store: Store, workspaceId: string): Promise<number>
  /** An estimate for all workspaces together. The cost of the query does not grow with the rows. */
  estimateAll(store: Store): Promise<number | undefined>
}
const measures: Record<keyof Quotas, Measure> = {
  subscriptions: {
    noun: 'subscriptions',
    used: (store, workspaceId) => store.quotas.countSubscriptions(workspaceId),
    estimateAll: (store) => store.quotas.estimateRows(['subscriptions']),
  },
  triggers: {
    noun: 'triggers and drafts',
    used: (store, workspaceId) => store.quotas.countTriggers(workspaceId),
    estimateAll: (store) => store.quotas.estimateRows(['triggers', 'trigger_drafts']),
  },
  pictureBytes: {
    noun: 'bytes of pictures',
    used: (store, workspaceId) => store.quotas.sumPictureBytes(workspaceId),
    estimateAll: async () => undefined,
  },
  storedBytes: {
    noun: 'stored bytes',
    used: (store, workspaceId) => store.quotas.sumStoredBytes(workspaceId),
    estimateAll: (store) => store.quotas.estimateStoredBytes(),
  },
}

/**
 * A limit from this size on is compared with an estimate, which can be a minute old. Far from such a limit requests do not
 * wait for each other: a tenth of it is more than all concurrent requests add. A smaller limit is always counted under a lock.
 */
const largeFrom = 100_000

/** Refuses to add rows that would take a workspace beyond a quota. Runs in the transaction that adds them. */
export async function requireRoom(
  store: Store,
  settings: Settings,
  workspaceId: string,
  quota: keyof Quotas,
  adding = 1,
): Promise<void> {
  const limit = settings.limits.quotas[quota]
  const { noun, used: measure } = measures[quota]
  if (limit >= largeFrom) {
    if (await isFarFromLimit(store, quota, limit)) return
    if ((await measure(store, workspaceId)) + adding < limit * 0.9) return
  }
  // The lock makes requests count one after the other.
  await store.quotas.lock(workspaceId)
  const used = await measure(store, workspaceId)
  if (used + adding <= limit) return
  const count = adding > 0 ? `this one has ${used}` : `with this change, this one would have ${used}`
  throw new Refusal('limit_reached', `The operator allows ${limit} ${noun} for a workspace, and ${count}.`, {
    limit,
    used,
  })
}

/** Runs after the save, in its transaction, because only then does PostgreSQL know the stored size. */
export async function requireStoredRoom(store: Store, settings: Settings, workspaceId: string): Promise<void> {
  await requireRoom(store, settings, workspaceId, 'storedBytes', 0)
}

/** True if all workspaces together are far from the limit of one. This avoids a count, whose cost grows with the rows. */
async function isFarFromLimit(store: Store, quota: keyof Quotas, limit: number): Promise<boolean> {
  const all = await measures[quota].estimateAll(store)
  return all !== undefined && all < limit / 2
}
