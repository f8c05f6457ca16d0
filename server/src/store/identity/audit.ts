import type { AuditAction } from '@tocsin/contract'
import { type Selectable, sql } from 'kysely'
import { type Base, newId, pageOf } from '../core/base.ts'
import type { AuditEntriesTable } from '../core/tables.ts'

export type AuditRow = Selectable<AuditEntriesTable>
export type NewAuditEntry = {
  workspaceId: string
  actorId: string
  actorName: string
  action: AuditAction
  fullname: string
  paths: string[]
  ip: string
}
/** A position between entries: those before it are older. */
export type AuditPosition = { at: Date; seq: string }
export type AuditFilter = { actor?: string | undefined; action?: string | undefined }
type AuditPage = { limit: number; before: AuditPosition | undefined }

export function auditTable({ db }: Base) {
  return {
    /** Returns the id of the entry. */
    async add(entry: NewAuditEntry, at: Date): Promise<string> {
      const id = newId()
      await db
        .insertInto('audit_entries')
        .values({
          id,
          workspace_id: entry.workspaceId,
          at,
          actor_id: entry.actorId,
          actor_name: entry.actorName,
          action: entry.action,
          fullname: entry.fullname,
          paths: entry.paths,
          ip: entry.ip,
        })
        .execute()
      return id
    },
    /** For a change that was taken back before anybody could use it. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('audit_entries').where('id', '=', id).execute()
    },
    /** The position of an entry. Undefined if the workspace has no such entry. */
    findPosition(workspaceId: string, id: string): Promise<AuditPosition | undefined> {
      return db
        .selectFrom('audit_entries')
        .select(['at', 'seq'])
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
    },
    /** Newest first. */
    async list(workspaceId: string, { actor, action }: AuditFilter, { limit, before }: AuditPage) {
      const rows = await db
        .selectFrom('audit_entries')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .$if(actor !== undefined, (query) => query.where('actor_id', '=', actor ?? ''))
        .$if(action !== undefined, (query) => query.where(sql<boolean>`action = ${action}`))
        .$if(before !== undefined, (query) =>
          query.where(sql<boolean>`(at, seq) < (${before?.at}, ${before?.seq}::bigint)`),
        )
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf<AuditRow>(rows, limit, (row) => `${row.at.toISOString()}_${row.seq}`)
    },
  }
}
