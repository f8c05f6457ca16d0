import { type Selectable, sql } from 'kysely'
import { type Base, newId, violatedConstraint } from '../core/base.ts'
import type { AccountsTable } from '../core/tables.ts'

export type AccountRow = Selectable<AccountsTable>

export type AccountSummary = {
  email: string
  name: string
  createdAt: Date
  hasPassword: boolean
  sessions: number
  tokens: number
  hasSecondFactor: boolean
  workspaces: string[]
}

/** The same key for every spelling of one mailbox. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

const waysIn = [
  'tokens',
  'identities',
  'passkeys',
  'totps',
  'recovery_codes',
  'password_resets',
  'account_places',
] as const

export function accountsTable({ db }: Base) {
  return {
    find(id: string): Promise<AccountRow | undefined> {
      return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
    },
    /** Those of these accounts that exist. */
    async listKept(ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set()
      const rows = await db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', sql<string>`any(${[...ids]})`)
        .execute()
      return new Set(rows.map(({ id }) => id))
    },
    findByEmail(email: string): Promise<AccountRow | undefined> {
      return db.selectFrom('accounts').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst()
    },
    /** Locks the row until the transaction ends. */
    lockByEmail(email: string): Promise<AccountRow | undefined> {
      return db
        .selectFrom('accounts')
        .selectAll()
        .where('email_key', '=', emailKey(email))
        .forNoKeyUpdate()
        .executeTakeFirst()
    },
    /** Oldest first, with what an operator asks about them. */
    async listAll(at: Date): Promise<AccountSummary[]> {
      const { rows } = await sql<AccountSummary>`
        select a.email, a.name, a.created_at as "createdAt", a.password_hash is not null as "hasPassword",
          (select count(*)::int from tokens t where t.account_id = a.id and t.kind = 'session'
            and (t.expires_at is null or t.expires_at > ${at})) as sessions,
          (select count(*)::int from tokens t where t.account_id = a.id and t.kind = 'personal'
            and (t.expires_at is null or t.expires_at > ${at})) as tokens,
          exists (select from totps where account_id = a.id and confirmed_at is not null)
            or exists (select from passkeys where account_id = a.id) as "hasSecondFactor",
          (select coalesce(array_agg(w.fullname order by w.fullname), '{}') from members m
            join workspaces w on w.id = m.workspace_id where m.account_id = a.id) as workspaces
        from accounts a order by a.created_at, a.email`.execute(db)
      return rows
    },
    async isEmpty(): Promise<boolean> {
      return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined
    },
    /** Adds nothing when the mailbox already has an account. */
    add(account: {
      email: string
      name: string
      passwordHash: string | null
      isEmailVerified?: boolean
      isFirst?: boolean
      at: Date
    }): Promise<AccountRow | undefined> {
      return db
        .insertInto('accounts')
        .values({
          id: newId(),
          email: account.email.trim(),
          email_key: emailKey(account.email),
          name: account.name,
          password_hash: account.passwordHash,
          email_verified_at: account.isEmailVerified ? account.at : null,
          is_first: account.isFirst ?? false,
          created_at: account.at,
          updated_at: account.at,
        })
        .onConflict((conflict) => conflict.column('email_key').doNothing())
        .returningAll()
        .executeTakeFirst()
    },
    /** Locks the row until the transaction ends. No row that belongs to the account can be added meanwhile. */
    lock(id: string): Promise<AccountRow | undefined> {
      return db.selectFrom('accounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    },
    setName(id: string, name: string, at: Date): Promise<AccountRow | undefined> {
      return db
        .updateTable('accounts')
        .set({ name, updated_at: at })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },
    /** Null: nobody signs in with a password. */
    async setPassword(id: string, passwordHash: string | null, at: Date): Promise<void> {
      await db
        .updateTable('accounts')
        .set({ password_hash: passwordHash, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** From now on the owner is known to read mail at the address. */
    async setVerified(id: string, at: Date): Promise<void> {
      await db
        .updateTable('accounts')
        .set({ email_verified_at: at, updated_at: at })
        .where('id', '=', id)
        .where('email_verified_at', 'is', null)
        .execute()
    },
    /** True if something besides the password and its sessions opens the account or is asked for at its sign-in. */
    async hasOtherWaysIn(id: string): Promise<boolean> {
      const { rows } = await sql<{ has: boolean }>`select
        exists (select 1 from tokens where account_id = ${id} and kind = 'personal')
        or exists (select 1 from identities where account_id = ${id})
        or exists (select 1 from passkeys where account_id = ${id})
        or exists (select 1 from totps where account_id = ${id}) as has`.execute(db)
      return rows[0]?.has === true
    },
    /**
     * Removes what opens an account or is asked for at its sign-in: tokens and sessions, linked sign-ins, passkeys,
     * authenticator app, recovery codes and mailed links. The password stays.
     */
    async removeWaysIn(id: string): Promise<void> {
      for (const table of waysIn) await db.deleteFrom(table).where('account_id', '=', id).execute()
    },
    /** The new address is not verified. Undefined if another account has the mailbox; the transaction is then lost. */
    setEmail(id: string, email: string, at: Date): Promise<AccountRow | undefined> {
      return db
        .updateTable('accounts')
        .set({ email: email.trim(), email_key: emailKey(email), email_verified_at: null, updated_at: at })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
        .catch((error: unknown) => {
          if (violatedConstraint(error) === undefined) throw error
          return undefined
        })
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('accounts').where('id', '=', id).execute()
    },
  }
}
