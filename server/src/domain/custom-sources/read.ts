import { listRules } from '../../engine/sources/chains.ts'
import type { SourceLogLevel, SourceLogRow } from '../../store/following/source-logs.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { requireReadableSource, requireSourceLevel } from './find.ts'
import { sourceListView, sourceView } from './views.ts'

export const listCustomSources: Handler<'listCustomSources'> = async ({ account, query, store }) => {
  const { workspace, limit, cursor } = query
  const { rows, next } = await store.customSources.listReadable(account.id, { workspace }, { limit, after: cursor })
  return new Page(rows.map(sourceListView), next)
}

export const getCustomSource: Handler<'getCustomSource'> = async ({ account, params, store }) => {
  const row = await requireReadableSource(store, account, params.fullname)
  return new Tagged(sourceView(store, row, row.level), tagOf(row))
}

/** A level includes all levels above it. */
const levelsFrom: Record<SourceLogLevel, readonly SourceLogLevel[]> = {
  info: ['info', 'warn', 'error'],
  warn: ['warn', 'error'],
  error: ['error'],
}

export const getCustomSourceLogs: Handler<'getCustomSourceLogs'> = async ({ account, params, query, store }) => {
  const source = await requireSourceLevel(store, account, params.fullname, 'developer')
  const { rows, hasMore } = await store.sourceLogs.list(source.id, {
    levels: levelsFrom[query.level ?? 'info'],
    direction: query.direction,
    at: query.datetime === undefined ? undefined : new Date(query.datetime),
    limit: query.limit,
  })
  return { entries: rows.map(entryView), hasMore }
}

function entryView({ id, at, level, message, details }: SourceLogRow) {
  return { id, at: at.toISOString(), level, message, ...(details && { details }) }
}

export const listChains: Handler<'listChains'> = async () => ({
  chains: listRules().map(({ description }) => description),
})
