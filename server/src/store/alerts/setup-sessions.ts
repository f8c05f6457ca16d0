import type { Selectable } from 'kysely'
import { type Base, newId } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'
import type { SetupSessionsTable } from '../core/tables.ts'

export type SetupSessionRow = Omit<Selectable<SetupSessionsTable>, 'token_hash'>

const active = ['pending', 'claimed'] as const
const columns = ['id', 'resource_id', 'status', 'messenger_user', 'expires_at', 'created_at', 'updated_at'] as const

export function setupSessionsTable({ db }: Base) {
  return {
    /** Stores only the hash of the token. */
    add(session: { resourceId: string; token: string; expiresAt: Date; at: Date }): Promise<SetupSessionRow> {
      return db
        .insertInto('setup_sessions')
        .values({
          id: newId(),
          resource_id: session.resourceId,
          status: 'pending',
          token_hash: hashToken(session.token),
          messenger_user: null,
          expires_at: session.expiresAt,
          created_at: session.at,
          updated_at: session.at,
        })
        .returning(columns)
        .executeTakeFirstOrThrow()
    },
    find(resourceId: string, id: string): Promise<SetupSessionRow | undefined> {
      return db
        .selectFrom('setup_sessions')
        .select(columns)
        .where('resource_id', '=', resourceId)
        .where('id', '=', id)
        .executeTakeFirst()
    },
    /** The resource of a session. Callers lock its row before the session's row. */
    async findResourceId(id: string): Promise<string | undefined> {
      const row = await db.selectFrom('setup_sessions').select('resource_id').where('id', '=', id).executeTakeFirst()
      return row?.resource_id
    },
    /** Locks the row until the transaction ends, so that of two concurrent steps the second sees the first. */
    lock(by: { id: string } | { token: string }): Promise<SetupSessionRow | undefined> {
      const query = db.selectFrom('setup_sessions').select(columns).forUpdate()
      if ('id' in by) return query.where('id', '=', by.id).executeTakeFirst()
      return query.where('token_hash', '=', hashToken(by.token)).executeTakeFirst()
    },
    findByToken(token: string): Promise<SetupSessionRow | undefined> {
      return db
        .selectFrom('setup_sessions')
        .select(columns)
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirst()
    },
    /** The sessions that a messenger's user claimed, in any status, latest first. */
    listClaimedBy(messengerUser: string, limit: number): Promise<SetupSessionRow[]> {
      return db
        .selectFrom('setup_sessions')
        .select(columns)
        .where('messenger_user', '=', messengerUser)
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute()
    },
    claim(id: string, messengerUser: string, at: Date): Promise<SetupSessionRow> {
      return db
        .updateTable('setup_sessions')
        .set({ status: 'claimed', messenger_user: messengerUser, updated_at: at })
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirstOrThrow()
    },
    async end(id: string, status: 'completed' | 'cancelled', at: Date): Promise<void> {
      await db.updateTable('setup_sessions').set({ status, updated_at: at }).where('id', '=', id).execute()
    },
    async endActive(resourceId: string, status: 'superseded' | 'cancelled', at: Date): Promise<void> {
      await db
        .updateTable('setup_sessions')
        .set({ status, updated_at: at })
        .where('resource_id', '=', resourceId)
        .where('status', 'in', active)
        .execute()
    },
    /** Expires the overdue sessions of one resource or of all. Returns how many. */
    async expireOverdue(at: Date, resourceId?: string): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('setup_sessions')
        .set({ status: 'expired', updated_at: at })
        .where('status', 'in', active)
        .where('expires_at', '<=', at)
        .$if(resourceId !== undefined, (query) => query.where('resource_id', '=', resourceId ?? ''))
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },
  }
}
