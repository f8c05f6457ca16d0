import { requireReadableProject } from '../access.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { projectView } from './views.ts'

export const listProjects: Handler<'listProjects'> = async ({ account, query, store }) => {
  const page = { limit: query.limit, after: query.cursor }
  const { rows, next } = await store.projects.listReadable(account.id, query, page)
  return new Page(rows.map(projectView), next)
}

export const getProject: Handler<'getProject'> = async ({ account, params, store }) => {
  const row = await requireReadableProject(store, account, params.fullname)
  return new Tagged(projectView(row), tagOf(row))
}
