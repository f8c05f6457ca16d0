import type { Store } from '../../store/index.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { requireRank } from '../access.ts'
import type { Account } from '../handler.ts'
import { notFound } from '../refusal.ts'

/** For changes. Takes the current name only, and requires the role developer. */
export async function requireEditable(store: Store, account: Account, fullname: string): Promise<WholeTrigger> {
  const [found] = await requireAllEditable(store, account, [fullname])
  if (!found) throw missing(fullname)
  return found
}

/** Keeps the order of the names. A trigger that cannot be seen is reported before one that may not be changed. */
export async function requireAllEditable(store: Store, account: Account, fullnames: string[]): Promise<WholeTrigger[]> {
  const found = await store.triggers.findAllReadable(fullnames, account.id)
  const byName = new Map(found.map((row) => [row.fullname, row]))
  const rows = fullnames.map((fullname) => {
    const row = byName.get(fullname)
    if (!row) throw missing(fullname)
    return row
  })
  for (const row of rows) requireRank(row.level, 'developer')
  return rows
}

/** Inside a transaction: locks the triggers, then reads them again, so that nobody can change, move or delete them. */
export async function lockEditable(store: Store, account: Account, fullnames: string[]): Promise<WholeTrigger[]> {
  await store.triggers.lockProjectsOf(fullnames)
  await store.triggers.lock(fullnames)
  return requireAllEditable(store, account, fullnames)
}

/** The project that a trigger's fullname starts with: a project's name always has two segments. */
export function projectOf(fullname: string): string {
  return fullname.split('.', 2).join('.')
}

function missing(fullname: string) {
  return notFound(`There is no trigger "${fullname}" that you may see.`)
}
