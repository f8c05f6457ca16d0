import type { Level, Scope } from '@tocsin/contract'
import type { MemberWorkspaceRow } from '../store/identity/workspaces.ts'
import type { Store } from '../store/index.ts'
import type { ReadableProject } from '../store/projects/projects.ts'
import type { WholeTrigger } from '../store/triggers/triggers.ts'
import type { Access, Account } from './handler.ts'
import { notFound, Refusal } from './refusal.ts'

/**
 * Access rules. An entity that an account may not see answers `not_found`; an operation it may not do answers
 * `forbidden`.
 */

const ranks: Record<Level, number> = { user: 1, developer: 2, admin: 3, owner: 4 }

export function hasLevel(level: Level | null | undefined, minimum: Level): boolean {
  return level !== null && level !== undefined && ranks[level] >= ranks[minimum]
}

export async function requireMember(store: Store, account: Account, workspace: string): Promise<MemberWorkspaceRow> {
  const found = await store.workspaces.findForMember(workspace, account.id)
  if (!found) throw notFound(`There is no workspace "${workspace}" that you are a member of.`)
  return found
}

export async function requireLevel(
  store: Store,
  account: Account,
  workspace: string,
  minimum: Level,
): Promise<MemberWorkspaceRow> {
  const member = await requireMember(store, account, workspace)
  requireRank(member.level, minimum)
  return member
}

export function requireRank(level: Level | null | undefined, minimum: Level): void {
  if (!hasLevel(level, minimum)) throw new Refusal('forbidden', `This needs the role ${minimum} or above.`)
}

/** For routes that need another scope for some bodies. The API checks the scopes of the route itself. */
export function requireScope({ scopes }: Access, needed: readonly Scope[]): void {
  if (needed.some((scope) => scopes.includes(scope))) return
  const names = needed.join(' or ')
  throw new Refusal('insufficient_scope', `This needs a token with the scope ${names}.`, { scopes: needed })
}

/** Only an owner may offer a project for transfer, so an offer ends when its author loses that role. */
export function cancelOffers(store: Store, accountId: string, workspaceId: string, now: Date): Promise<void> {
  const reason = 'The person who offered the project no longer owns its workspace.'
  return store.transferEndings.cancelOfferedBy(accountId, workspaceId, reason, now)
}

/**
 * Ends the open requests of a person that their level no longer allows; without a level they have left the workspace. Only
 * owners invite owners, and only owners and admins invite others. Call it under the lock of the workspace.
 */
export async function endRequests(store: Store, person: LevelOf, now: Date): Promise<void> {
  const { accountId, workspaceId, level } = person
  if (level === 'owner') return
  await cancelOffers(store, accountId, workspaceId, now)
  await store.invitations.revokeOf({ accountId, workspaceId }, hasLevel(level, 'admin') ? 'to owners' : 'all', now)
}
type LevelOf = { accountId: string; workspaceId: string; level?: Level }

/** For reading. The former name of a transferred project still finds it. */
export async function requireReadableProject(
  store: Store,
  account: Account,
  fullname: string,
): Promise<ReadableProject> {
  const found =
    (await store.projects.findReadable({ fullname }, account.id)) ?? (await findByAlias(store, account, fullname))
  if (!found) throw notFound(`There is no project "${fullname}" that you may see.`)
  return found
}

async function findByAlias(store: Store, account: Account, fullname: string): Promise<ReadableProject | undefined> {
  const id = await store.aliases.findTarget('project', fullname)
  return id === undefined ? undefined : store.projects.findReadable({ id }, account.id)
}

/** For reading. The former name of a transferred trigger still finds it. */
export async function findReadableTrigger(
  store: Store,
  account: Account,
  fullname: string,
): Promise<WholeTrigger | undefined> {
  const found = await store.triggers.findReadable({ fullname }, account.id)
  if (found) return found
  const id = await store.aliases.findTarget('trigger', fullname)
  return id === undefined ? undefined : store.triggers.findReadable({ id }, account.id)
}

export async function requireReadableTrigger(store: Store, account: Account, fullname: string): Promise<WholeTrigger> {
  const found = await findReadableTrigger(store, account, fullname)
  if (!found) throw notFound(`There is no trigger "${fullname}" that you may see.`)
  return found
}

/** For changes. Takes the current name only, and requires a level in the owning workspace. */
export async function requireProjectLevel(
  store: Store,
  account: Account,
  fullname: string,
  minimum: Level,
): Promise<ReadableProject> {
  const found = await store.projects.findReadable({ fullname }, account.id)
  if (!found) throw notFound(`There is no project "${fullname}" that you may see.`)
  requireRank(found.level, minimum)
  return found
}

/**
 * Like `requireProjectLevel`, and locks the row. The check runs again under the lock, because the project may have
 * changed.
 */
export async function lockProject(
  store: Store,
  account: Account,
  fullname: string,
  minimum: Level,
): Promise<ReadableProject> {
  const seen = await requireProjectLevel(store, account, fullname, minimum)
  await store.projects.lock(seen.id)
  return requireProjectLevel(store, account, fullname, minimum)
}
