import { templateHelpers } from '@tocsin/contract'
import { listCoreActions as coreActions } from '../../engine/sources/core-actions.ts'
import type { TriggerLogRow } from '../../store/triggers/trigger-logs.ts'
import { requireRank, requireReadableProject, requireReadableTrigger } from '../access.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import { readCounts, readRuns } from '../counts.ts'
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

export const getTriggerLogs: Handler<'getTriggerLogs'> = async ({ account, params, query, store }) => {
  const row = await requireReadableTrigger(store, account, params.fullname)
  requireRank(row.level, 'developer')
  const { limit, direction, status, datetime } = query
  const at = datetime === undefined ? undefined : new Date(datetime)
  const { rows, hasMore } = await store.triggerLogs.list(row.id, { limit, direction, status, at })
  return {
    trigger: { fullname: row.fullname, meta: row.meta, status: row.status },
    subscriptions: await store.subscriptions.countByTrigger(row),
    logs: rows.map(logView),
    hasMore,
  }
}

/** The counts are those of all subscribers, so people outside the workspace do not see them, even if the trigger is public. */
export const getTriggerCounts: Handler<'getTriggerCounts'> = async ({ account, params, query, store, now }) => {
  const { id, level } = await requireReadableTrigger(store, account, params.fullname)
  requireRank(level, 'user')
  return readCounts(store, { kind: 'trigger', id }, query.range, now)
}

export const getTriggerRuns: Handler<'getTriggerRuns'> = async ({ account, params, query, store, now }) => {
  const { id, level } = await requireReadableTrigger(store, account, params.fullname)
  requireRank(level, 'developer')
  return readRuns(store, id, query.range, now)
}

function logView(row: TriggerLogRow) {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    ...(row.reason_code !== null && { reasonCode: row.reason_code }),
    ...(row.message !== null && { message: row.message }),
    count: row.count,
    firstSeenAt: row.first_seen_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    ...(row.channel !== null && { channel: row.channel }),
    ...(row.resource !== null && { resource: row.resource }),
    ...(row.source !== null && { source: row.source }),
    ...(row.sample !== null && { sample: row.sample }),
  }
}
