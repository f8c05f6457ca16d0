import type { Base } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'

/** The links that were mailed to people who forgot their password. A link works once. */
export function passwordResetsTable({ db }: Base) {
  return {
    async add(accountId: string, token: string, expiresAt: Date, at: Date): Promise<void> {
      await db
        .insertInto('password_resets')
        .values({ hash: hashToken(token), account_id: accountId, created_at: at, expires_at: expiresAt })
        .execute()
    },
    /** The account of a valid link. */
    async findAccountId(token: string, at: Date): Promise<string | undefined> {
      const row = await db
        .selectFrom('password_resets')
        .select('account_id')
        .where('hash', '=', hashToken(token))
        .where('expires_at', '>', at)
        .executeTakeFirst()
      return row?.account_id
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
