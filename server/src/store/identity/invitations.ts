import type { Level } from '@tocsin/contract'
import type { Selectable } from 'kysely'
import { type Base, newId, type PageQuery, pageOf } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'
import type { InvitationsTable } from '../core/tables.ts'
import { emailKey } from './accounts.ts'

export type InvitationRow = Omit<Selectable<InvitationsTable>, 'hash'>
export type NewInvitation = {
  workspaceId: string
  email: string
  level: Level
  token: string
  invitedBy: { id: string; name: string }
  expiresAt: Date
}

const columns = [
  'id',
  'workspace_id',
  'email',
  'email_key',
  'level',
  'invited_by',
  'invited_by_name',
  'expires_at',
  'accepted_at',
  'revoked_at',
  'created_at',
] as const

export function invitationsTable({ db }: Base) {
  return {
    add(invitation: NewInvitation, at: Date): Promise<InvitationRow> {
      return db
        .insertInto('invitations')
        .values({
          id: newId(),
          workspace_id: invitation.workspaceId,
          email: invitation.email,
          email_key: emailKey(invitation.email),
          level: invitation.level,
          hash: hashToken(invitation.token),
          invited_by: invitation.invitedBy.id,
          invited_by_name: invitation.invitedBy.name,
          expires_at: invitation.expiresAt,
          accepted_at: null,
          revoked_at: null,
          created_at: at,
        })
        .returning(columns)
        .executeTakeFirstOrThrow()
    },
    async list(workspaceId: string, page: PageQuery) {
      const rows = await db
        .selectFrom('invitations')
        .select(columns)
        .where('workspace_id', '=', workspaceId)
        .$if(page.after !== undefined, (query) => query.where('id', '>', page.after ?? ''))
        .orderBy('id')
        .limit(page.limit + 1)
        .execute()
      return pageOf<InvitationRow>(rows, page.limit, (row) => row.id)
    },
    /** Locks the row, so that of two uses at once the second finds it accepted. */
    lockByToken(workspaceId: string, token: string): Promise<InvitationRow | undefined> {
      return db
        .selectFrom('invitations')
        .select(columns)
        .where('workspace_id', '=', workspaceId)
        .where('hash', '=', hashToken(token))
        .forUpdate()
        .executeTakeFirst()
    },
    async accept(id: string, at: Date): Promise<void> {
      await db.updateTable('invitations').set({ accepted_at: at }).where('id', '=', id).execute()
    },
    /** Undefined if there is no such invitation that nobody has accepted or revoked. */
    revoke(workspaceId: string, id: string, at: Date): Promise<InvitationRow | undefined> {
      return db
        .updateTable('invitations')
        .set({ revoked_at: at })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .returning(columns)
        .executeTakeFirst()
    },
    /** Revokes what a person sent and nobody has accepted. */
    async revokeOf(
      { accountId, workspaceId }: { accountId: string; workspaceId: string },
      which: 'all' | 'to owners',
      at: Date,
    ): Promise<void> {
      await db
        .updateTable('invitations')
        .set({ revoked_at: at })
        .where('workspace_id', '=', workspaceId)
        .where('invited_by', '=', accountId)
        .$if(which === 'to owners', (query) => query.where('level', '=', 'owner'))
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .execute()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('invitations').where('id', '=', id).execute()
    },
  }
}
