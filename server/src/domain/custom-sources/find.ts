import type { Level } from '@tocsin/contract'
import type { CustomSourceRow, ReadableSource } from '../../store/following/custom-sources.ts'
import type { Store } from '../../store/index.ts'
import { requireRank } from '../access.ts'
import type { Account } from '../handler.ts'
import { notFound } from '../refusal.ts'

export async function requireReadableSource(store: Store, account: Account, fullname: string): Promise<ReadableSource> {
  const found = await store.customSources.findReadable(fullname, account.id)
  if (!found) throw missing(fullname)
  return found
}

/** Everyone sees a public source, so for a stranger a change of it is forbidden, not missing. */
export async function requireSourceLevel(
  store: Store,
  account: Account,
  fullname: string,
  minimum: Level,
): Promise<ReadableSource> {
  const found = await requireReadableSource(store, account, fullname)
  requireRank(found.level, minimum)
  return found
}

/** For changes. Locks the row until the transaction ends. */
export async function lockSource(
  store: Store,
  account: Account,
  fullname: string,
  minimum: Level,
): Promise<CustomSourceRow> {
  await requireSourceLevel(store, account, fullname, minimum)
  const row = await store.customSources.lock(fullname)
  if (!row) throw missing(fullname)
  return row
}

export function missing(fullname: string) {
  return notFound(`There is no custom source "${fullname}" that you may see.`)
}
