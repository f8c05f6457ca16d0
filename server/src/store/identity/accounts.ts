import type { Selectable } from 'kysely'
import { type Base, newId, violatedConstraint } from '../core/base.ts'
import type { AccountsTable } from '../core/tables.ts'

export type AccountRow = Selectable<AccountsTable>

/** The same key for every spelling of one mailbox. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

export function accountsTable({ db }: Base) {
  return {
    find(id: string): Promise<AccountRow | undefined> {
      return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
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
    async setPassword(id: string, passwordHash: string, at: Date): Promise<void> {
      await db
        .updateTable('accounts')
        .set({ password_hash: passwordHash, updated_at: at })
        .where('id', '=', id)
        .execute()
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
