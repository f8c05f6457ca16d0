import type { Level } from '@tocsin/contract'
import { type Destination, findDestination } from '../../engine/destinations/index.ts'
import type { MemberResourceRow } from '../../store/alerts/resource-rows.ts'
import type { Store } from '../../store/index.ts'
import { requireRank } from '../access.ts'
import type { Account } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'

/** For reading. The former name of a transferred resource still finds it. Only members see resources. */
export async function requireResource(store: Store, account: Account, fullname: string): Promise<MemberResourceRow> {
  const found =
    (await store.resources.findForMember({ fullname }, account.id)) ?? (await findByAlias(store, account, fullname))
  if (!found) throw missing(fullname)
  return found
}

async function findByAlias(store: Store, account: Account, fullname: string): Promise<MemberResourceRow | undefined> {
  const id = await store.aliases.findTarget('resource', fullname)
  return id === undefined ? undefined : store.resources.findForMember({ id }, account.id)
}

/** For changes. Takes the current name only, and requires a level in the owning workspace. */
export async function requireResourceLevel(
  store: Store,
  account: Account,
  fullname: string,
  minimum: Level,
): Promise<MemberResourceRow> {
  const found = await store.resources.findForMember({ fullname }, account.id)
  if (!found) throw missing(fullname)
  requireRank(found.level, minimum)
  return found
}

function missing(fullname: string) {
  return notFound(`There is no resource "${fullname}" that you may see.`)
}

/** The channel of a blueprint. */
export function requireDestination(blueprint: string): Destination {
  const found = findDestination(blueprint)
  if (!found) throw new Refusal('unknown_blueprint', `There is no blueprint "${blueprint}".`)
  return found
}
