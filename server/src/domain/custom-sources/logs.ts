import type { SourceLogLevel, SourceLogRow } from '../../store/following/source-logs.ts'
import type { Handler } from '../handler.ts'
import { requireSourceLevel } from './find.ts'

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
