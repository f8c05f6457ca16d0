import type { ProjectSave } from '@tocsin/contract'
import type { z } from 'zod'
import type { Store } from '../../store/index.ts'
import type { ProjectFields, ProjectRow, ReadableProject } from '../../store/projects/projects.ts'
import { lockProject, requireLevel } from '../access.ts'
import { done, requireMatch, Tagged, tagOf } from '../answers.ts'
import { changedPaths, recordChange } from '../audit.ts'
import type { Account, Context, Handler } from '../handler.ts'
import { requireOwnedName, requireSameName } from '../names.ts'
import { requireStoredRoom } from '../quotas.ts'
import { notFound, Refusal } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import { keepStack } from '../stack-mark.ts'
import { projectView } from './read.ts'

type Save = z.output<typeof ProjectSave>
type Saving = Pick<Context<'saveProject'>, 'account' | 'body' | 'ip' | 'preconditions' | 'now' | 'settings'> & {
  fields: ProjectFields
}

export const saveProject: Handler<'saveProject'> = async ({ params, store, ...context }) => {
  const { account, body } = context
  requireSameName(params.fullname, body.fullname)
  requireOwnedName(body)
  const saving = { ...context, fields: fieldsOf(body) }
  return store.tx(async (store) => {
    const isThere = await store.projects.findReadable({ fullname: body.fullname }, account.id)
    const id = isThere ? await update(store, saving) : ((await create(store, saving)) ?? (await update(store, saving)))
    return savedView(store, saving, id, isThere)
  })
}

/** Undefined if another request took the name a moment ago. */
async function create(store: Store, saving: Saving): Promise<string | undefined> {
  const { account, body, fields, preconditions, now, settings } = saving
  const workspace = await requireLevel(store, account, body.workspace, 'admin')
  requireMatch(preconditions, undefined)
  if (!(await store.workspaces.lock(workspace.id))) throw notFound()
  if (fields.access_level === 'private') await requireUnderPrivateLimit(store, account, settings)
  const { name, fullname } = body
  const labels = keepStack(fields.labels)
  const row = await store.projects.add({ ...fields, labels, workspaceId: workspace.id, name, fullname }, now)
  return row?.id
}

async function update(store: Store, saving: Saving): Promise<string> {
  const { account, body, fields, preconditions, now, settings } = saving
  const current = await lockProject(store, account, body.fullname, 'admin')
  requireMatch(preconditions, current)
  const turnsPrivate = fields.access_level === 'private' && current.access_level !== 'private'
  if (turnsPrivate) await requireUnderPrivateLimit(store, account, settings)
  await store.projects.update(current.id, { ...fields, labels: keepStack(fields.labels, current.labels) }, now)
  return current.id
}

function fieldsOf(body: Save): ProjectFields {
  return { ...readAccess(body), tags: body.tags, labels: body.labels, meta: body.meta }
}

async function savedView(store: Store, saving: Saving, id: string, before: ReadableProject | undefined) {
  const { account, settings } = saving
  const row = await store.projects.findReadable({ id }, account.id)
  if (!row) throw notFound()
  await requireStoredRoom(store, settings, row.workspace_id)
  const paths = changedPaths(before && auditedFields(before), auditedFields(row))
  const { workspace_id: workspaceId, fullname } = row
  await recordChange(store, saving, { action: 'project.save', workspaceId, fullname, paths })
  return new Tagged(projectView(row), tagOf(row))
}

function auditedFields({ access_level: accessLevel, visibility, tags, labels, meta }: ProjectFields) {
  return { accessLevel, visibility, tags, labels, meta }
}

type SavedAccess = Pick<z.output<typeof ProjectSave>, 'accessLevel' | 'visibility' | 'public'>
type Access = Pick<ProjectRow, 'access_level' | 'visibility'>

/** `accessLevel`, `visibility` and `public` describe one state. The first one that the payload holds decides. */
function readAccess(save: SavedAccess): Access {
  const access_level = save.accessLevel ?? levelOf(save)
  const isPrivate = access_level === 'private'
  if (save.visibility !== undefined && (save.visibility !== 'public') !== isPrivate)
    throw new Refusal(
      'access_level_conflict',
      `accessLevel "${access_level}" and visibility "${save.visibility}" contradict each other.`,
    )
  if (!isPrivate) return { access_level, visibility: 'public' }
  return { access_level, visibility: save.visibility === 'private_link' ? 'private_link' : 'personal' }
}

function levelOf(save: SavedAccess): Access['access_level'] {
  const isPublic = save.visibility === undefined ? save.public : save.visibility === 'public'
  return isPublic ? 'public' : 'private'
}

/** Every account may create projects, in a new workspace if necessary. Only private projects are counted. */
export const getProjectCreateCapability: Handler<'getProjectCreateCapability'> = async ({
  account,
  store,
  settings,
}) => {
  const limit = settings.limits.privateProjects
  const used = await store.projects.countPrivate(account.id)
  const isFull = limit !== null && used >= limit
  return {
    canCreateProjects: true,
    canCreatePrivateProjects: !isFull,
    privateProjectsUsed: used,
    privateProjectsLimit: limit,
    ...(isFull && { reason: limitMessage(limit) }),
  }
}

/** Refuses one more private project than the operator allows for an account. Without a limit no lock is taken. */
export async function requireUnderPrivateLimit(store: Store, account: Account, settings: Settings): Promise<void> {
  const limit = settings.limits.privateProjects
  if (limit === null) return
  await store.projects.lockPrivateCount(account.id)
  const used = await store.projects.countPrivate(account.id)
  if (used >= limit) throw new Refusal('limit_reached', limitMessage(limit), { limit, used })
}

export function limitMessage(limit: number): string {
  return `The operator allows ${limit} private projects, and all of them are in use.`
}

export const deleteProject: Handler<'deleteProject'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'owner')
    requireMatch(preconditions, project)
    await store.transferEndings.cancelPendingOf(project.id, 'The project was deleted.', now)
    await store.projects.remove(project.id)
    const { workspace_id: workspaceId, fullname } = project
    await recordChange(store, { account, ip, now }, { action: 'project.delete', workspaceId, fullname })
    return done
  })
