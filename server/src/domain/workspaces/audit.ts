import type { AuditPosition, AuditRow } from '../../store/identity/audit.ts'
import type { Store } from '../../store/index.ts'
import { requireLevel } from '../access.ts'
import { Page, requireCursor } from '../answers.ts'
import type { Handler } from '../handler.ts'

export const listAudit: Handler<'listAudit'> = async ({ account, params, query, store }) => {
  const { id } = await requireLevel(store, account, params.fullname, 'admin')
  const { actor, action, limit } = query
  const before = positionIn(query.cursor) ?? (await findPosition(store, id, query.before))
  if (before === 'nothing') return new Page([])
  const { rows, next } = await store.audit.list(id, { actor, action }, { limit, before })
  return new Page(rows.map(entryView), next)
}

/** `before` is a time or the id of an entry. Nothing is before an entry that the workspace does not have. */
async function findPosition(
  store: Store,
  workspaceId: string,
  before: string | undefined,
): Promise<AuditPosition | 'nothing' | undefined> {
  if (before === undefined) return undefined
  if (before.includes(':')) return { at: new Date(before), seq: '0' }
  return (await store.audit.findPosition(workspaceId, before)) ?? 'nothing'
}

function positionIn(cursor: string | undefined): AuditPosition | undefined {
  const key = requireCursor(cursor, isAuditKey)
  if (key === undefined) return undefined
  const [at = '', seq = ''] = key.split('_')
  return { at: new Date(at), seq }
}

function isAuditKey(key: string): boolean {
  const [at = '', seq = '', ...more] = key.split('_')
  return !Number.isNaN(Date.parse(at)) && /^\d{1,18}$/.test(seq) && more.length === 0
}

function entryView(row: AuditRow) {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { id: row.actor_id, name: row.actor_name },
    action: row.action,
    kind: row.action.split('.')[0] ?? row.action,
    fullname: row.fullname,
    paths: row.paths,
    ip: row.ip,
  }
}
