import type { ReadableProject } from '../../store/projects/projects.ts'
import { requireReadableProject } from '../access.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'

export const listProjects: Handler<'listProjects'> = async ({ account, query, store }) => {
  const page = { limit: query.limit, after: query.cursor }
  const { rows, next } = await store.projects.listReadable(account.id, query, page)
  return new Page(rows.map(projectView), next)
}

export const getProject: Handler<'getProject'> = async ({ account, params, store }) => {
  const row = await requireReadableProject(store, account, params.fullname)
  return new Tagged(projectView(row), tagOf(row))
}

/** The view of a project for the account it was read for; only members get `level`. */
export function projectView(row: ReadableProject) {
  return {
    id: row.id,
    ...payloadOf(row),
    ...(row.workspace_title !== null && { ownerTitle: row.workspace_title }),
    ...(row.level !== null && { level: row.level }),
    counts: { triggers: row.triggers_count, templates: row.templates_count },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The stored project as the payload that would save it. */
export function payloadOf(row: ReadableProject) {
  return {
    name: row.name,
    fullname: row.fullname,
    workspace: row.workspace,
    public: row.access_level !== 'private',
    visibility: row.visibility,
    accessLevel: row.access_level,
    tags: row.tags,
    labels: row.labels,
    meta: row.meta,
  }
}
