import type { ResourceData, ResourceRow } from '../../store/alerts/resources.ts'
import type { Store } from '../../store/index.ts'

/** So long after a change the former secret signs too: a receiver need not change in the same second. */
const overlapMs = 24 * 3_600_000
const formerMax = 3

type Former = { secret: string; until: string }

/** The caller holds the resource's row and has not written the new data yet. Nobody is shown what is kept here. */
export async function keepFormerSecret(
  store: Store,
  current: ResourceRow,
  data: ResourceData | null,
  now: Date,
): Promise<void> {
  const former = store.resources.openData(current)?.secret
  if (typeof former !== 'string' || former === data?.secret) return
  const until = new Date(now.getTime() + overlapMs).toISOString()
  const kept = (await store.resources.readPrivate(current.id)) ?? {}
  const older = formerSecretsOf(kept).filter((one) => one.until > now.toISOString() && one.secret !== former)
  const formerSecrets = [{ secret: former, until }, ...older].slice(0, formerMax)
  await store.resources.savePrivate(current.id, { ...kept, formerSecrets })
}

function formerSecretsOf(kept: ResourceData): Former[] {
  return Array.isArray(kept.formerSecrets) ? kept.formerSecrets : []
}
