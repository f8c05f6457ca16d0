import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { AccountRow } from './accounts.ts'

/** The identity of an account at an identity provider. */
export type Identity = { issuer: string; subject: string }

export function identitiesTable({ db }: Base) {
  return {
    findAccount({ issuer, subject }: Identity): Promise<AccountRow | undefined> {
      return db
        .selectFrom('identities')
        .innerJoin('accounts', 'accounts.id', 'identities.account_id')
        .selectAll('accounts')
        .where('identities.issuer', '=', issuer)
        .where('identities.subject', '=', subject)
        .executeTakeFirst()
    },
    /** Locks the identity until the transaction ends, so that no other request links it to an account. */
    async lock({ issuer, subject }: Identity): Promise<void> {
      const key = JSON.stringify(['identity', issuer, subject])
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db)
    },
    /** True if the account already has an identity at this issuer. */
    async isLinked(accountId: string, issuer: string): Promise<boolean> {
      const row = await db
        .selectFrom('identities')
        .select('subject')
        .where('account_id', '=', accountId)
        .where('issuer', '=', issuer)
        .executeTakeFirst()
      return row !== undefined
    },
    list(accountId: string): Promise<(Identity & { created_at: Date })[]> {
      return db
        .selectFrom('identities')
        .select(['issuer', 'subject', 'created_at'])
        .where('account_id', '=', accountId)
        .orderBy('issuer')
        .orderBy('subject')
        .execute()
    },
    async remove(accountId: string, { issuer, subject }: Identity): Promise<void> {
      await db
        .deleteFrom('identities')
        .where('account_id', '=', accountId)
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute()
    },
    async add({ issuer, subject }: Identity, accountId: string, at: Date): Promise<void> {
      await db.insertInto('identities').values({ issuer, subject, account_id: accountId, created_at: at }).execute()
    },
  }
}
