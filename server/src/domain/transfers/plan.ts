import { createHash } from 'node:crypto'
import { fullnameLengthMax, type ProjectTransferPlan } from '@tocsin/contract'
import type { z } from 'zod'
import type { Store } from '../../store/index.ts'
import { requireProjectLevel } from '../access.ts'
import { canonicalJson } from '../canonical-json.ts'
import type { Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { requireNoBlockingAddon, requirePlace } from './checks.ts'
import { findConflicts, type Place } from './conflicts.ts'
import { findListMoves } from './lists.ts'

export type Plan = z.output<typeof ProjectTransferPlan>
type Changes = Plan['changes']
type Move = { from: string; to: string }

export const planTransfer: Handler<'planTransfer'> = async ({ account, params, body, store }) => {
  const project = await requireProjectLevel(store, account, params.fullname, 'owner')
  const source = requirePlace(project.workspace, project.name)
  const target = requirePlace(body.targetWorkspace, body.targetName ?? project.name)
  await requireNoBlockingAddon(store, project.id)
  return makePlan(store, project.id, source, target)
}

/**
 * Lists what a transfer would change and what conflicts with it. The same project and target always give the same hash.
 */
export async function makePlan(store: Store, projectId: string, source: Place, target: Place): Promise<Plan> {
  const changes = await listChanges(store, projectId, source, target)
  const resources = changes.resources.map((move) => move.to)
  const conflicts = await findConflicts(store, source, target, resources)
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
    planHash: sha256(canonicalJson({ source, target, changes, conflicts })),
  }
}

async function listChanges(store: Store, projectId: string, source: Place, target: Place): Promise<Changes> {
  const project = { from: source.fullname, to: target.fullname }
  const triggers = moves(await store.renames.listTriggers(projectId), target.fullname)
  const resources = moves(await store.renames.listResources(projectId), target.workspace)
  const templates = await store.renames.listTemplates(projectId)
  const addressLists = await findListMoves(store, projectId, target)
  return {
    project,
    triggers,
    resources,
    templates: templates.sort((one, other) => (one.id < other.id ? -1 : 1)),
    ...(addressLists.length > 0 && { addressLists }),
    aliases: [
      { kind: 'project', ...project },
      ...triggers.map((move) => ({ kind: 'trigger' as const, ...move })),
      ...resources.map((move) => ({ kind: 'resource' as const, ...move })),
    ],
  }
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
