import type { Selectable } from 'kysely'
import { type Base, newId } from '../core/base.ts'
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
  }
}
