import type { SourceAddress } from '../engine/sources/connections.ts'
import { addressOf, resolveSource } from '../engine/sources/resolve-source.ts'
import type { ReadableSource } from '../store/following/custom-sources.ts'
import type { Store } from '../store/index.ts'
import { hasLevel } from './access.ts'
import type { Account } from './handler.ts'
import type { Settings } from './settings.ts'

/** The caller, and where to look sources up. */
export type Caller = { store: Store; account: Account; settings: Settings }

/** The workspace that a try-out belongs to, if any. `isSaved` is true for a saved definition. */
export type SourceScope = { workspace?: string | undefined; isSaved?: boolean }

/**
 * The address of a source, or the reason why it cannot be used. The account must be able to read the source. A saved
 * trigger is an exception: its developers wrote the definition, so it reads the sources of its own workspace for any
 * caller.
 */
export function findSource(
  { store, account, settings }: Caller,
  fullname: string,
  scope: SourceScope = {},
): Promise<SourceAddress | { refused: string }> {
  return resolveSource(fullname, settings.networks, async () => {
    const row =
      (await store.customSources.findReadable(fullname, account.id)) ??
      (scope.isSaved && scope.workspace !== undefined
        ? await store.customSources.findInWorkspace(fullname, scope.workspace)
        : undefined)
    return row && addressOf({ ...row, endpoints: store.customSources.openEndpoints(row) }, allowedMethods(row, scope))
  })
}

/**
 * The additional RPC methods that a source allows. They are for triggers of the source's own workspace and for
 * developers who test.
 */
export function allowedMethods(
  { settings, workspace, level }: Pick<ReadableSource, 'settings' | 'workspace' | 'level'>,
  scope: SourceScope,
): readonly string[] {
  const isOwn = scope.workspace === undefined || scope.workspace === workspace
  const isTrusted = scope.isSaved ? scope.workspace !== undefined : hasLevel(level, 'developer')
  return isOwn && isTrusted ? (settings.allowMethods ?? []) : []
}
