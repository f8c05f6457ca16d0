import type { SourceKind } from '@tocsin/contract'
import type { SourceItem } from '../engine/base/source-item.ts'
import type { AlertContext } from '../engine/destinations/index.ts'
import { networkOf } from '../engine/sources/bindings.ts'
import type { SourceAddress } from '../engine/sources/connections.ts'
import { blockRefOf, itemTimeMs } from '../engine/sources/item-time.ts'
import { addressOf, resolveSource } from '../engine/sources/resolve-source.ts'
import type { ReadableSource } from '../store/following/custom-sources.ts'
import type { Store } from '../store/index.ts'
import { hasLevel } from './access.ts'
import type { Account } from './handler.ts'
import { notFound } from './refusal.ts'
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
  caller: Caller,
  fullname: string,
  scope: SourceScope = {},
): Promise<SourceAddress | { refused: string }> {
  const { store, settings } = caller
  return resolveSource(fullname, settings.networks, async () => {
    const row = await findRow(caller, fullname, scope)
    return row && addressOf({ ...row, endpoints: store.customSources.openEndpoints(row) }, allowedMethods(row, scope))
  })
}

/** The name of the source's network; `unknown` if the caller may not use the source, or before a node has answered. */
export async function findNetwork(caller: Caller, fullname: string, scope: SourceScope = {}): Promise<string> {
  const network = caller.settings.networks.find((each) => each.fullname === fullname)
  if (network) return networkOf({ ...network, isBuiltIn: true }, {})
  const row = await findRow(caller, fullname, scope)
  return row ? networkOf({ ...row, isBuiltIn: false }, row.runtime ?? {}) : 'unknown'
}

/** Where and when the item of a previewed message happened. */
export async function findPlace(
  caller: Caller,
  source: string | null,
  item: SourceItem,
  scope: SourceScope = {},
): Promise<Pick<AlertContext, 'network' | 'block' | 'itemAt'>> {
  const network = source === null ? undefined : await findTitle(caller, source, scope)
  const [block, atMs] = [blockRefOf(item), itemTimeMs(item)]
  return {
    ...(network !== undefined && { network }),
    ...(block && { block }),
    ...(atMs !== undefined && { itemAt: new Date(atMs) }),
  }
}

async function findTitle(caller: Caller, fullname: string, scope: SourceScope): Promise<string | undefined> {
  const network = caller.settings.networks.find((each) => each.fullname === fullname)
  return network?.title ?? (await findRow(caller, fullname, scope))?.meta.title
}

/** A built-in network, or a custom source that the account may see. */
export async function isReadableSource(caller: Caller, fullname: string): Promise<boolean> {
  return (await findKind(caller, fullname)) !== undefined
}

/** Returns the kind of a source that the caller may read. To everybody else the source does not exist. */
export async function requireReadableSource(caller: Caller, fullname: string): Promise<SourceKind> {
  const kind = await findKind(caller, fullname)
  if (kind === undefined) throw notFound(`There is no data source "${fullname}" that you may read.`)
  return kind
}

async function findKind({ store, account, settings }: Caller, fullname: string): Promise<SourceKind | undefined> {
  const network = settings.networks.find((each) => each.fullname === fullname)
  return (network ?? (await store.customSources.findReadable(fullname, account.id)))?.kind
}

async function findRow(
  { store, account }: Caller,
  fullname: string,
  { isSaved, workspace }: SourceScope,
): Promise<ReadableSource | undefined> {
  const row = await store.customSources.findReadable(fullname, account.id)
  if (row || !isSaved || workspace === undefined) return row
  return store.customSources.findInWorkspace(fullname, workspace)
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
