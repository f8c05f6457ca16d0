import type { AuditAction } from '@tocsin/contract'
import type { Store } from '../store/index.ts'
import { diffOf } from './diff.ts'
import type { Account } from './handler.ts'

/** Who makes a change, from which address, and when. */
export type Actor = { account: Account; ip: string; now: Date }
/** The holder of a link, who needs no account. */
export type LinkHolder = { account?: undefined; ip: string; now: Date }
export type AuditedChange = { action: AuditAction; workspaceId: string; fullname: string; paths?: readonly string[] }

const pathsMax = 100

/** Writes the change to the audit log of its workspace. Call it in the transaction of the change. Returns the entry's id. */
export function recordChange(store: Store, actor: Actor | LinkHolder, change: AuditedChange): Promise<string> {
  const { id, name } = actor.account ?? { id: 'link', name: 'Holder of a link' }
  const { paths = [], ...what } = change
  const entry = { ...what, actorId: id, actorName: name, paths: paths.slice(0, pathsMax), ip: actor.ip }
  return store.audit.add(entry, actor.now)
}

type Fields = Record<string, unknown>

/** The paths of the fields that differ. The values, which may be secrets, are left out. */
export function changedPaths(before: Fields | undefined, after: Fields | undefined): string[] {
  return diffOf(before, after, () => undefined).map(({ path }) => path)
}
