import type { Base } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'
import { type AccountRow, emailKey } from './accounts.ts'

/** The links that were mailed to people who forgot their password. A link works once. */
export function passwordResetsTable({ db }: Base) {
  return {
    async add(account: { id: string; email: string }, token: string, expiresAt: Date, at: Date): Promise<void> {
      const email_key = emailKey(account.email)
      await db
        .insertInto('password_resets')
        .values({ hash: hashToken(token), account_id: account.id, email_key, created_at: at, expires_at: expiresAt })
        .execute()
    },
    /** The account of a valid link; undefined if its address has changed since the link was mailed. */
    find(token: string, at: Date): Promise<AccountRow | undefined> {
      return db
        .selectFrom('password_resets')
        .innerJoin('accounts', 'accounts.id', 'password_resets.account_id')
        .selectAll('accounts')
        .where('password_resets.hash', '=', hashToken(token))
        .where('password_resets.expires_at', '>', at)
        .whereRef('password_resets.email_key', '=', 'accounts.email_key')
        .executeTakeFirst()
    },
    /** Uses the link up. Returns false if another request used it first. */
    async take(token: string): Promise<boolean> {
      const row = await db
        .deleteFrom('password_resets')
        .where('hash', '=', hashToken(token))
        .returning('hash')
        .executeTakeFirst()
      return row !== undefined
    },
    async removeOf(accountId: string): Promise<void> {
      await db.deleteFrom('password_resets').where('account_id', '=', accountId).execute()
    },
    async sweep(before: Date): Promise<void> {
      await db.deleteFrom('password_resets').where('expires_at', '<', before).execute()
    },
  }
}
