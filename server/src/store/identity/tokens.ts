import type { Scope } from '@tocsin/contract'
import { type Selectable, sql } from 'kysely'
import { type Base, newId, type PageQuery, pageOf } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'
import { precompiled } from '../core/statements.ts'
import type { AccountsTable, TokensTable } from '../core/tables.ts'

export type TokenRow = Selectable<TokensTable>
export type NamedTokenRow = TokenRow & { workspace: string | null }
export type TokenOwner = {
  token_id: string
  token_kind: TokenRow['kind']
  last_used_at: Date | null
  expires_at: Date | null
  scopes: Scope[] | null
  workspace_id: string | null
  workspace: string | null
} & Pick<Selectable<AccountsTable>, 'id' | 'email' | 'name' | 'created_at'>

export function tokensTable(base: Base) {
  const { db } = base
  return {
    /** The owner of a valid token. Every authenticated request runs this one query. */
    async findOwner(token: string, at: Date): Promise<TokenOwner | undefined> {
      return (await ownerOf(base, hashToken(token), at))[0]
    },
    async add(token: {
      accountId: string
      kind: TokenRow['kind']
      name: string
      token: string
      expiresAt: Date | null
      scopes?: Scope[] | null
      workspaceId?: string | null
      /** Where a session is started. */
      from?: { ip: string; userAgent: string }
      at: Date
    }): Promise<TokenRow> {
      return db
        .insertInto('tokens')
        .values({
          id: newId(),
          account_id: token.accountId,
          kind: token.kind,
          name: token.name,
          hash: hashToken(token.token),
          created_at: token.at,
          expires_at: token.expiresAt,
          last_used_at: null,
          scopes: token.scopes ?? null,
          workspace_id: token.workspaceId ?? null,
          ...(token.from && { ip: token.from.ip, user_agent: token.from.userAgent }),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    },
    async touch(id: string, at: Date): Promise<void> {
      await db.updateTable('tokens').set({ last_used_at: at }).where('id', '=', id).execute()
    },
    /** The valid tokens of a kind; personal tokens also after their expiry. */
    async list(accountId: string, kind: TokenRow['kind'], page: PageQuery, at: Date) {
      const rows = await db
        .selectFrom('tokens')
        .leftJoin('workspaces', 'workspaces.id', 'tokens.workspace_id')
        .selectAll('tokens')
        .select('workspaces.fullname as workspace')
        .where('tokens.account_id', '=', accountId)
        .where('tokens.kind', '=', kind)
        .$if(kind === 'session', (query) => query.where('tokens.expires_at', '>', at))
        .$if(page.after !== undefined, (query) => query.where('tokens.id', '>', page.after ?? ''))
        .orderBy('tokens.id')
        .limit(page.limit + 1)
        .execute()
      return pageOf<NamedTokenRow>(rows, page.limit, (row) => row.id)
    },
    async remove(accountId: string, kind: TokenRow['kind'], id: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('tokens')
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return gone !== undefined
    },
    async endSession(id: string): Promise<void> {
      await db.deleteFrom('tokens').where('id', '=', id).where('kind', '=', 'session').execute()
    },
    /** Ends the sessions of an account, except the one of the caller. */
    async endSessions(accountId: string, exceptId?: string): Promise<void> {
      await db
        .deleteFrom('tokens')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'session')
        .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
        .execute()
    },
    /** Revokes the personal tokens of an account, and ends the sessions of browsers that signed in with one. */
    async removePersonal(accountId: string): Promise<void> {
      await db.deleteFrom('tokens').where('account_id', '=', accountId).where('kind', '=', 'personal').execute()
    },
    /** Undefined for a personal token. */
    findSession(id: string): Promise<TokenRow | undefined> {
      return db.selectFrom('tokens').selectAll().where('id', '=', id).where('kind', '=', 'session').executeTakeFirst()
    },
    /** True while the token is valid and belongs to the account. */
    async isOf(id: string, accountId: string, at: Date): Promise<boolean> {
      const row = await db
        .selectFrom('tokens')
        .select('id')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
        .executeTakeFirst()
      return row !== undefined
    },
    /** Those of these tokens that are valid. */
    async listValid(ids: readonly string[], at: Date): Promise<Set<string>> {
      if (ids.length === 0) return new Set()
      const rows = await db
        .selectFrom('tokens')
        .select('id')
        .where('id', '=', sql<string>`any(${[...ids]})`)
        .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
        .execute()
      return new Set(rows.map(({ id }) => id))
    },
    /** Removes sessions that ended more than a day ago. */
    async sweep(before: Date): Promise<void> {
      await sql`delete from tokens where expires_at < ${before} and kind = 'session'`.execute(db)
    },
  }
}

const ownerOf = precompiled((db, hash: Buffer, at: Date) =>
  db
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .leftJoin('workspaces', 'workspaces.id', 'tokens.workspace_id')
    .select(['tokens.id as token_id', 'tokens.kind as token_kind', 'tokens.last_used_at', 'tokens.expires_at'])
    .select(['tokens.scopes', 'tokens.workspace_id', 'workspaces.fullname as workspace'])
    .select(['accounts.id', 'accounts.email', 'accounts.name', 'accounts.created_at'])
    .where('tokens.hash', '=', hash)
    .where((where) => where.or([where('tokens.expires_at', 'is', null), where('tokens.expires_at', '>', at)])),
)
