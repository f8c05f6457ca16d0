import type { Store } from '../store/index.ts'
import { Refusal } from './refusal.ts'
import type { Settings } from './settings.ts'

/** What the operator lets one workspace hold. The defaults are so high that only a runaway script meets them. */
export type Quotas = { subscriptions: number; triggers: number; pictureBytes: number }

const counts: Record<keyof Quotas, (store: Store, workspaceId: string) => Promise<number>> = {
  subscriptions: (store, workspaceId) => store.quotas.countSubscriptions(workspaceId),
  triggers: (store, workspaceId) => store.quotas.countTriggers(workspaceId),
  pictureBytes: (store, workspaceId) => store.quotas.sumPictureBytes(workspaceId),
}
const nouns: Record<keyof Quotas, string> = {
  subscriptions: 'subscriptions',
  triggers: 'triggers and drafts',
  pictureBytes: 'bytes of pictures',
}

/** Only limits beyond this many are compared with an estimate, which can be a minute old. */
const estimatedFrom = 100_000

/** Refuses what would take a workspace beyond a quota. Runs in the transaction that adds it. */
export async function requireRoom(
  store: Store,
  settings: Settings,
  workspaceId: string,
  quota: keyof Quotas,
  adding = 1,
): Promise<void> {
  const limit = settings.limits.quotas[quota]
  const count = counts[quota]
  if (limit >= estimatedFrom && (await isFar(store, quota, limit))) return
  // Far from the limit nobody waits for anybody; close to it, one counts after the other.
  if ((await count(store, workspaceId)) + adding < limit * 0.9) return
  await store.quotas.lock(workspaceId)
  const used = await count(store, workspaceId)
  if (used + adding <= limit) return
  const message = `The operator allows ${limit} ${nouns[quota]} for a workspace, and this one has ${used}.`
  throw new Refusal('limit_reached', message, { limit, used })
}

/** True if all workspaces together are far from the limit of one. Counting would take longer with every row. */
async function isFar(store: Store, quota: keyof Quotas, limit: number): Promise<boolean> {
  if (quota === 'pictureBytes') return false
  const rows = await store.quotas.estimateRows(
    quota === 'subscriptions' ? ['subscriptions'] : ['triggers', 'trigger_drafts'],
  )
  return rows !== undefined && rows < limit / 2
}
