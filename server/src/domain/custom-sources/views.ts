import type { CustomSource, CustomSourceListView, Level } from '@tocsin/contract'
import type { z } from 'zod'
import type { SourceRuntime } from '../../store/core/tables.ts'
import type { CustomSourceRow } from '../../store/following/custom-sources.ts'
import type { Store } from '../../store/index.ts'
import { hasLevel } from '../access.ts'
import { stackMark } from '../stack-mark.ts'

export function sourceListView(row: CustomSourceRow): z.output<typeof CustomSourceListView> {
  return {
    fullname: row.fullname,
    name: row.name,
    workspace: row.workspace,
    public: row.public,
    kind: row.kind,
    meta: row.meta,
    status: row.status,
    ...stackMark(row.stack),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The level is null for a caller who is no member and sees the source because it is public. */
export function sourceView(store: Store, row: CustomSourceRow, level: Level | null): z.output<typeof CustomSource> {
  const { allowMethods, ...settings } = row.settings
  const runtime = shownRuntime(row)
  return {
    id: row.id,
    ...sourceListView(row),
    endpoints: endpointsFor(store, row, level),
    ...settings,
    ...(allowMethods && hasLevel(level, 'developer') && { allowMethods }),
    ...(row.substrate && { substrate: row.substrate }),
    ...(runtime && { runtime }),
    revision: row.revision,
  }
}

/**
 * The lag of a source in error is not known. The row may still hold one: the runtime reports progress on its own, and a report
 * that was under way may be stored after the change of status.
 */
export function shownRuntime({ runtime, status }: Pick<CustomSourceRow, 'runtime' | 'status'>): SourceRuntime | null {
  if (!runtime || status.status !== 'error') return runtime
  const { lag, ...rest } = runtime
  return rest
}

/** Endpoints often hold keys in their paths, so callers below developer see hosts only. */
function endpointsFor(store: Store, row: CustomSourceRow, level: Level | null): string[] {
  const endpoints = store.customSources.openEndpoints(row)
  return hasLevel(level, 'developer') ? endpoints : endpoints.map((endpoint) => new URL(endpoint).host)
}
