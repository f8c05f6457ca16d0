import type { CustomSource, CustomSourceListView, Level } from '@tocsin/contract'
import type { z } from 'zod'
import type { CustomSourceRow } from '../../store/following/custom-sources.ts'
import type { Store } from '../../store/index.ts'
import { hasLevel } from '../access.ts'

export function sourceListView(row: CustomSourceRow): z.output<typeof CustomSourceListView> {
  return {
    fullname: row.fullname,
    name: row.name,
    workspace: row.workspace,
    public: row.public,
    kind: row.kind,
    meta: row.meta,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The level is null for whoever sees the source because it is public. */
export function sourceView(store: Store, row: CustomSourceRow, level: Level | null): z.output<typeof CustomSource> {
  const { allowMethods, ...settings } = row.settings
  return {
    id: row.id,
    ...sourceListView(row),
    endpoints: endpointsFor(store, row, level),
    ...settings,
    ...(allowMethods && hasLevel(level, 'developer') && { allowMethods }),
    ...(row.substrate && { substrate: row.substrate }),
    ...(row.runtime && { runtime: row.runtime }),
    revision: row.revision,
  }
}

/** Endpoints often carry keys in their paths, so whoever does not keep the source sees hosts. */
function endpointsFor(store: Store, row: CustomSourceRow, level: Level | null): string[] {
  const endpoints = store.customSources.openEndpoints(row)
  return hasLevel(level, 'developer') ? endpoints : endpoints.map((endpoint) => new URL(endpoint).host)
}
