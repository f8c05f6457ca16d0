import { templateHelpers } from '@tocsin/contract'
import { listCoreActions as coreActions } from '../../engine/sources/core-actions.ts'
import { requireReadableProject, requireReadableTrigger } from '../access.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { draftView, triggerView } from './views.ts'

export const listTriggers: Handler<'listTriggers'> = async ({ account, query, store, settings }) => {
  const project = query.project === undefined ? undefined : await requireReadableProject(store, account, query.project)
  const { rows, next } = await store.triggers.listReadable(
    account.id,
    { projectId: project?.id, workspace: query.workspace },
    { limit: query.limit, after: query.cursor },
  )
  return new Page(
    rows.map((row) => triggerView(row, settings)),
    next,
  )
}

export const getTrigger: Handler<'getTrigger'> = async ({ account, params, store, settings }) => {
  const row = await requireReadableTrigger(store, account, params.fullname)
  return new Tagged(draftView(row, settings), tagOf(row))
}

export const listCoreActions: Handler<'listCoreActions'> = async () => ({ actions: coreActions() })

export const getTemplateHelpers: Handler<'getTemplateHelpers'> = async () => ({
  templating: { helpers: templateHelpers },
})
