import { requireReadableProject } from '../access.ts'
import { Page, requireSeqCursor, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { templateView, templateViews } from './views.ts'

export const listTemplates: Handler<'listTemplates'> = async ({ account, params, query, store }) => {
  const project = await requireReadableProject(store, account, params.fullname)
  const page = { limit: query.limit, after: requireSeqCursor(query.cursor) }
  const { rows, next } = await store.templates.list(project.id, page)
  return new Page(await templateViews(store, project, rows), next)
}

export const getRootTemplate: Handler<'getRootTemplate'> = async ({ account, params, store }) => {
  const project = await requireReadableProject(store, account, params.fullname)
  const row = await store.templates.findRoot(project.id)
  if (!row) throw notFound(`The project "${project.fullname}" has no template.`)
  return new Tagged(await templateView(store, project, row), tagOf(row))
}

export const getTemplate: Handler<'getTemplate'> = async ({ account, params, store }) => {
  const project = await requireReadableProject(store, account, params.fullname)
  const row = await store.templates.find(project.id, params.id)
  if (!row) throw notFound('There is no such template.')
  return new Tagged(await templateView(store, project, row), tagOf(row))
}
