import type { ResourceData, ResourceRow } from '../../store/alerts/resource-rows.ts'
import type { Store } from '../../store/index.ts'

/** After a change the former secret also signs for this long, so that a receiver can change later. */
const overlapMs = 24 * 3_600_000
const formerMax = 3

type Former = { secret: string; until: string }

/**
 * Keeps the former secret. The caller holds the row's lock and has not written the new data yet. No view shows former
 * secrets.
 */
export async function keepFormerSecret(
  store: Store,
  current: ResourceRow,
  data: ResourceData | null,
  now: Date,
): Promise<void> {
  const former = store.resources.openData(current)?.secret
  if (typeof former !== 'string' || former === data?.secret) return
  const until = new Date(now.getTime() + overlapMs).toISOString()
  const kept = (await store.destinations.readPrivate(current.id)) ?? {}
  const older = formerSecretsOf(kept).filter((one) => one.until > now.toISOString() && one.secret !== former)
  const formerSecrets = [{ secret: former, until }, ...older].slice(0, formerMax)
  await store.destinations.savePrivate(current.id, { ...kept, formerSecrets })
}

function formerSecretsOf(kept: ResourceData): Former[] {
  return Array.isArray(kept.formerSecrets) ? kept.formerSecrets : []
}
