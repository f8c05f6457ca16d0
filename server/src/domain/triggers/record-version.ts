import type { DraftContent } from '../../store/core/tables.ts'
import type { Store } from '../../store/index.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import type { Settings } from '../settings.ts'
import { isSameJson } from './content.ts'

type Content = Pick<WholeTrigger, 'definition' | 'providers' | 'tags' | 'labels' | 'meta'>
export type Publishing = {
  store: Store
  settings: Settings
  after: Content & { id: string }
  accountId: string
  restoredFrom?: number | undefined
  now: Date
}

/**
 * Keeps what was published, in the transaction that publishes it, and drops the oldest version beyond the limit. A change of
 * the status alone is no new version.
 */
export async function recordVersion(publishing: Publishing): Promise<void> {
  const { store, settings, after, accountId, restoredFrom, now } = publishing
  const { id: triggerId } = after
  const last = await store.triggerVersions.findLast(triggerId)
  const content = contentOf(after)
  const changed = last ? changedFields(last.content, content) : []
  if (last && changed.length === 0) return
  const version = { triggerId, content, changed, restoredFrom: restoredFrom ?? null, savedBy: accountId }
  const number = (last?.number ?? 0) + 1
  await store.triggerVersions.add(number, version, now)
  await store.triggerVersions.dropUntil(triggerId, number - settings.limits.triggerVersions)
}

function contentOf({ definition, providers, tags, labels, meta }: Content): DraftContent {
  return { ...definition, providers, tags, labels, meta }
}

function changedFields(a: DraftContent, b: DraftContent): string[] {
  const [before, after] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  const fields = [...new Set([...before.keys(), ...after.keys()])]
  return fields.filter((field) => !isSameJson(before.get(field), after.get(field))).sort()
}
