import type { ProjectSecret } from '@tocsin/contract'
import type * as z from 'zod'
import type { Store } from '../../store/index.ts'
import type { ProjectSecretRow } from '../../store/projects/project-secrets.ts'
import { lockProject, requireRank, requireReadableProject } from '../access.ts'
import { done, Page, requireMatch, Tagged, tagOf } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { requireStoredRoom } from '../quotas.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'

/** Secrets that provider fields name. They are write-only: no view holds a value. */

const namePattern = /^[A-Za-z_][\w-]{0,63}$/

export const listProjectSecrets: Handler<'listProjectSecrets'> = async ({ account, params, query, store }) => {
  const project = await requireReadableProject(store, account, params.fullname)
  requireRank(project.level, 'developer')
  const { rows, next } = await store.projectSecrets.list(project.id, { limit: query.limit, after: query.cursor })
  return new Page(rows.map(secretView), next)
}

export const saveProjectSecret: Handler<'saveProjectSecret'> = async (context) => {
  const { account, params, body, preconditions, store, now, settings } = context
  const { fullname, name } = params
  return store.tx(async (store) => {
    const project = await lockProject(store, account, fullname, 'developer')
    requireName(name)
    const current = await store.projectSecrets.find(project.id, name)
    requireMatch(preconditions, current)
    if (!current) await requireRoom(store, project.id, settings.limits.projectSecrets)
    const row = await store.projectSecrets.save({ projectId: project.id, name, value: body.value }, now)
    await requireStoredRoom(store, settings, project.workspace_id)
    const { workspace_id: workspaceId } = project
    await recordChange(store, context, { action: 'secret.save', workspaceId, fullname, paths: [name] })
    return new Tagged(secretView(row), tagOf(row))
  })
}

/**
 * Deletes a secret even if triggers still name it, because a leaked key must stop at once. Their providers then fail.
 */
export const deleteProjectSecret: Handler<'deleteProjectSecret'> = async (context) => {
  const { account, params, preconditions, store } = context
  return store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'developer')
    const current = await store.projectSecrets.find(project.id, params.name)
    requireMatch(preconditions, current)
    if (!current) throw notFound(`The project "${params.fullname}" has no secret of this name.`)
    await store.projectSecrets.remove(current.id)
    const { workspace_id: workspaceId, fullname } = project
    await recordChange(store, context, { action: 'secret.delete', workspaceId, fullname, paths: [params.name] })
    return done
  })
}

function requireName(name: string): void {
  if (namePattern.test(name)) return
  const message = 'must have 1 to 64 letters, digits, "_" and "-", and begin with a letter or "_"'
  throw invalidPayload([{ path: 'name', message }])
}

async function requireRoom(store: Store, projectId: string, limit: number): Promise<void> {
  const used = (await store.projectSecrets.listNames(projectId)).length
  if (used >= limit) throw new Refusal('limit_reached', `A project has at most ${limit} secrets.`, { limit, used })
}

function secretView(row: ProjectSecretRow): z.output<typeof ProjectSecret> {
  return { name: row.name, createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() }
}
