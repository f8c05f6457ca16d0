import type { Issue } from '@tocsin/contract'
import type { SourceAddress } from '../engine/sources/connections.ts'
import type { ReadableSource } from '../store/following/custom-sources.ts'
import type { Store } from '../store/index.ts'
import { hasLevel } from './access.ts'
import type { Account } from './handler.ts'
import type { Settings } from './settings.ts'

/** Who asks, and where sources are looked up. */
export type Asker = { store: Store; account: Account; settings: Settings }

/** What is tried out: something of the named workspace, if one is named; `isSaved` where its developers have saved it. */
export type Behalf = { workspace?: string | undefined; isSaved?: boolean }

/**
 * The endpoints behind a name, or why they cannot be asked. The account must be able to read the source, unless it tries
 * a saved trigger: its definition is its developers', so it reads the sources of its own workspace, whoever tries it.
 */
export async function findSource(asker: Asker, fullname: string, behalf: Behalf = {}): Promise<SourceAddress | Issue> {
  const path = 'triggerSpec.dataSource'
  const network = asker.settings.networks.find((network) => network.fullname === fullname)
  if (network && network.endpoints.length === 0)
    return {
      path,
      message: `"${fullname}" has no endpoint here yet: the operator gives it one, or use a custom source`,
    }
  if (network) return network
  const row =
    (await asker.store.customSources.findReadable(fullname, asker.account.id)) ??
    (behalf.isSaved && behalf.workspace !== undefined
      ? await asker.store.customSources.findOfWorkspace(fullname, behalf.workspace)
      : undefined)
  if (!row) return { path, message: `there is no data source "${fullname}" that you may read` }
  const endpoints = asker.store.customSources.openEndpoints(row)
  const allowMethods = allowedMethods(row, behalf)
  return {
    kind: row.kind,
    endpoints,
    extensions: row.substrate?.extensions,
    verify: row.settings.verify,
    ...(allowMethods.length > 0 && { allowMethods }),
  }
}

/** The methods beyond the reading ones: for triggers of the source's own workspace, and for its developers who test. */
export function allowedMethods(
  { settings, workspace, level }: Pick<ReadableSource, 'settings' | 'workspace' | 'level'>,
  behalf: Behalf,
): readonly string[] {
  const isOwn = behalf.workspace === undefined || behalf.workspace === workspace
  const isTrusted = behalf.isSaved ? behalf.workspace !== undefined : hasLevel(level, 'developer')
  return isOwn && isTrusted ? (settings.allowMethods ?? []) : []
}
