import { createHash } from 'node:crypto'
import { fullnameLengthMax, type ProjectTransferPlan } from '@tocsin/contract'
import type { z } from 'zod'
import { canonicalJson } from '../../engine/base/json.ts'
import type { Store } from '../../store/index.ts'
import type { ListToMove } from '../../store/projects/list-moves.ts'
import { requireProjectLevel } from '../access.ts'
import type { Account, Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { findConflicts, type Place, requireInside, requireNoBlockingAddon, requirePlace } from './checks.ts'

export type Plan = z.output<typeof ProjectTransferPlan>
type Changes = Plan['changes']
type Move = { from: string; to: string }

export const planTransfer: Handler<'planTransfer'> = async ({ access, account, params, body, store }) => {
  requireInside(access, body.targetWorkspace)
  const project = await requireProjectLevel(store, account, params.fullname, 'owner')
  const source = requirePlace(project.workspace, project.name)
  const target = requirePlace(body.targetWorkspace, body.targetName ?? project.name)
  await requireNoBlockingAddon(store, project.id)
  return makePlan(store, account, project.id, source, target)
}

/**
 * Lists what a transfer would change and what conflicts with it, as far as the viewer may see the target workspace. A plan
 * without conflicts has the same hash for every viewer, so that an owner of the target accepts what was offered.
 */
export async function makePlan(
  store: Store,
  viewer: Account,
  projectId: string,
  source: Place,
  target: Place,
): Promise<Plan> {
  const lists = await store.listMoves.listNamed(projectId)
  const common = await listChanges(store, projectId, source, target, planListMoves(lists, target, []))
  const isMember = (await store.workspaces.findForMember(target.workspace, viewer.id)) !== undefined
  const there = isMember ? await store.listMoves.listOf(target.workspace) : []
  const changes = withLists(common, planListMoves(lists, target, there))
  const resources = changes.resources.map((move) => move.to)
  const conflicts = await findConflicts(store, viewer, source, target, resources)
  return {
    mode: 'dry-run',
    source,
    target,
    counts: {
      triggers: changes.triggers.length,
      templates: changes.templates.length,
      resources: changes.resources.length,
      subscriptions: await store.subscriptions.countByProject(projectId),
      accessLinks: await store.renames.countAccessLinks(projectId),
      aliases: changes.aliases.length,
      conflicts: conflicts.length,
    },
    changes,
    conflicts,
    planHash: sha256(canonicalJson({ source, target, changes: common, conflicts })),
  }
}

function withLists(changes: Changes, addressLists: Move[]): Changes {
  return addressLists.length > 0 ? { ...changes, addressLists } : changes
}

async function listChanges(
  store: Store,
  projectId: string,
  source: Place,
  target: Place,
  addressLists: Move[],
): Promise<Changes> {
  const project = { from: source.fullname, to: target.fullname }
  const triggers = moves(await store.renames.listTriggers(projectId), target.fullname)
  const resources = moves(await store.renames.listResources(projectId), target.workspace)
  const templates = await store.renames.listTemplates(projectId)
  const changes: Changes = {
    project,
    triggers,
    resources,
    templates: templates.sort((one, other) => (one.id < other.id ? -1 : 1)),
    aliases: [
      { kind: 'project', ...project },
      ...triggers.map((move) => ({ kind: 'trigger' as const, ...move })),
      ...resources.map((move) => ({ kind: 'resource' as const, ...move })),
    ],
  }
  return withLists(changes, addressLists)
}

/** Sorted here and not in SQL, because the order in SQL depends on the collation of the database. */
function moves(entities: { name: string; fullname: string }[], owner: string): Move[] {
  return entities
    .map(({ name, fullname }) => ({ from: fullname, to: requireShort(`${owner}.${name}`) }))
    .sort((one, other) => (one.from < other.from ? -1 : 1))
}

/** With a longer workspace name a fullname can exceed the limit. */
function requireShort(fullname: string): string {
  if (fullname.length <= fullnameLengthMax) return fullname
  throw new Refusal('fullname_invalid', `"${fullname}" would have more than ${fullnameLengthMax} characters.`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type ListMove = { from: string; to: string }

/**
 * The names of address lists in the target workspace. An equal list there is used; a different list with the same name is
 * left alone, and the copy gets a number.
 */
function planListMoves(named: readonly ListToMove[], target: Place, there: readonly ListToMove[]): ListMove[] {
  const taken = new Map(there.map((list) => [list.fullname, list]))
  return named.map((list) => {
    const to = freeName(list, target.workspace, taken)
    taken.set(to, list)
    return { from: list.fullname, to }
  })
}

function freeName(list: ListToMove, workspace: string, taken: ReadonlyMap<string, ListToMove>): string {
  for (let number = 1; ; number++) {
    const name = `${workspace}.${list.name}${number === 1 ? '' : `-${number}`}`
    const found = taken.get(name)
    if (!found || found.content === list.content) return name
  }
}
