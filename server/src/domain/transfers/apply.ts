import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'
import type { ProjectRow } from '../../store/projects/projects.ts'
import type { OpenDraft } from '../../store/projects/renames.ts'
import { notFound } from '../refusal.ts'
import type { Plan } from './plan.ts'
import { makeRenaming, type Renaming } from './renaming.ts'

export type Writes = Record<
  'projects' | 'triggers' | 'drafts' | 'resources' | 'templates' | 'listeners' | 'aliases',
  number
>

/** Moves the project to its new workspace and rewrites every name that changes. Ids and links stay. */
export async function applyPlan(store: Store, project: ProjectRow, plan: Plan, now: Date): Promise<Writes> {
  const owner = await requireOwner(store, plan.target.workspace)
  const drafts = await store.renames.lockDrafts(project.id)
  const names = [...plan.changes.triggers.map((move) => move.from), ...drafts.map((draft) => draft.fullname)]
  const streams = names.flatMap((name) => [name, `${name}.events`])
  const listMoves = plan.changes.addressLists ?? []
  for (const { from, to } of listMoves)
    await store.listMoves.copy(from, { fullname: to, workspaceId: owner.workspaceId }, now)
  const renaming = makeRenaming(plan.source, plan.target, { streams, lists: listMoves })
  const aliases = await store.renames.leaveAliases(project.id, now)
  const to = { ...plan.target, meta: renaming.meta(project.meta) }
  await store.renames.moveProject(project.id, owner, to, now)
  const triggers = await store.renames.renameTriggers(project.id, plan.target.fullname, now)
  const resources = await store.renames.moveResources(project.id, owner, now)
  await store.stacks.release(project.id)
  await replaceTokens(store, project.id, now)
  await store.renames.dropAliases(project.id)
  await rewriteDrafts(store, drafts, renaming)
  const listeners = await rewriteDefinitions(store, project.id, renaming, streams, now)
  const templates = await rewriteRules(store, project.id, renaming, plan.source.fullname, now)
  return { projects: 1, triggers, drafts: drafts.length, resources, templates, listeners, aliases }
}

/** Replaces tokens that the former owners know, so that they cannot set up the new owners' destinations. */
async function replaceTokens(store: Store, projectId: string, now: Date): Promise<void> {
  for (const id of await store.renames.listTokenHolders(projectId)) {
    await store.resources.replaceToken(id, newToken('resource'))
    await store.setupSessions.endActive(id, 'cancelled', now)
  }
}

async function requireOwner(store: Store, fullname: string): Promise<{ workspaceId: string; workspace: string }> {
  const row = await store.workspaces.find(fullname)
  if (!row) throw notFound(`There is no workspace "${fullname}".`)
  return { workspaceId: row.id, workspace: row.fullname }
}

async function rewriteDrafts(store: Store, drafts: OpenDraft[], renaming: Renaming): Promise<void> {
  for (const { id, fullname, content } of drafts)
    await store.renames.setDraft({
      id,
      fullname: renaming.under(fullname),
      content: renaming.lists(renaming.definition(content)),
    })
}

/** Returns how many triggers of other projects listen to a moved one. */
async function rewriteDefinitions(
  store: Store,
  projectId: string,
  renaming: Renaming,
  streams: string[],
  now: Date,
): Promise<number> {
  const rows = await store.renames.lockDefinitions(projectId, streams)
  for (const { id, project_id, definition } of rows) {
    const renamed = renaming.definition(definition)
    await store.renames.setDefinition(id, project_id === projectId ? renaming.lists(renamed) : renamed, now)
  }
  return rows.filter((row) => row.project_id !== projectId).length
}

/** The project's own templates show its name, so they count as changed even if no rule changes. */
async function rewriteRules(
  store: Store,
  projectId: string,
  renaming: Renaming,
  project: string,
  now: Date,
): Promise<number> {
  const rows = await store.renames.lockRules(projectId, project)
  const concerned = rows.filter((row) => row.project_id === projectId || renaming.concerns(row.rules))
  for (const { id, project_id, rules } of concerned) {
    const renamed = renaming.rules(rules)
    await store.renames.setRules(id, project_id === projectId ? renamed.map(renaming.lists) : renamed, now)
  }
  return concerned.length
}
