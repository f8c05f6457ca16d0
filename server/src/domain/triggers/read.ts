import { templateHelpers } from '@tocsin/contract'
import { requireReadableProject, requireReadableTrigger } from '../access.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { coreActions } from './core-actions/index.ts'
import { draftView, triggerView } from './views.ts'

export const listTriggers: Handler<'listTriggers'> = async ({ account, query, store }) => {
  const project = query.project === undefined ? undefined : await requireReadableProject(store, account, query.project)
  const { rows, next } = await store.triggers.listReadable(
    account.id,
    { projectId: project?.id, workspace: query.workspace },
    { limit: query.limit, after: query.cursor },
  )
  return new Page(rows.map(triggerView), next)
}

export const getTrigger: Handler<'getTrigger'> = async ({ account, params, store }) => {
  const row = await requireReadableTrigger(store, account, params.fullname)
  return new Tagged(draftView(row), tagOf(row))
}

export const listCoreActions: Handler<'listCoreActions'> = async () => ({ actions: coreActions })

export const getTemplateHelpers: Handler<'getTemplateHelpers'> = async () => ({
  templating: { helpers: templateHelpers },
})
