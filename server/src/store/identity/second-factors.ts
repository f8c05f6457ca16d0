import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'

export type Totp = { secret: string; isConfirmed: boolean }

/** TOTP secrets and recovery codes. */
export function secondFactorsTable({ db, box }: Base) {
  return {
    async findTotp(accountId: string): Promise<Totp | undefined> {
      const row = await db.selectFrom('totps').selectAll().where('account_id', '=', accountId).executeTakeFirst()
      return row && { secret: box.open(row.secret), isConfirmed: row.confirmed_at !== null }
    },
    /** Replaces a secret that was never confirmed. Returns false if a confirmed one exists. */
    async addTotp(accountId: string, secret: string, at: Date): Promise<boolean> {
      const sealed = box.seal(secret)
      const row = await db
        .insertInto('totps')
        .values({ account_id: accountId, secret: sealed, created_at: at, confirmed_at: null })
        .onConflict((conflict) =>
          conflict
            .column('account_id')
            .doUpdateSet({ secret: sealed, created_at: at })
            .where('totps.confirmed_at', 'is', null),
        )
        .returning('account_id')
        .executeTakeFirst()
      return row !== undefined
    },
    /** Returns false if it was confirmed already. */
    async confirmTotp(accountId: string, at: Date): Promise<boolean> {
      const row = await db
        .updateTable('totps')
        .set({ confirmed_at: at })
        .where('account_id', '=', accountId)
        .where('confirmed_at', 'is', null)
        .returning('account_id')
        .executeTakeFirst()
      return row !== undefined
    },
    async removeTotp(accountId: string): Promise<boolean> {
      const row = await db
        .deleteFrom('totps')
        .where('account_id', '=', accountId)
        .returning('account_id')
        .executeTakeFirst()
      return row !== undefined
    },
    /** Uses up a time step and those before it. Returns false if it was used already, also by a request at the same time. */
    async takeStep(accountId: string, step: number): Promise<boolean> {
      const row = await db
        .updateTable('totps')
        .set({ last_step: step })
        .where('account_id', '=', accountId)
        .where('last_step', '<', step)
        .returning('account_id')
        .executeTakeFirst()
      return row !== undefined
    },
    async replaceRecoveryCodes(accountId: string, codes: readonly string[]): Promise<void> {
      await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
      if (codes.length === 0) return
      await db
        .insertInto('recovery_codes')
        .values(codes.map((code) => ({ account_id: accountId, hash: hashToken(code) })))
        .execute()
    },
    /** Uses a recovery code up. Returns false if it is wrong or was used. */
    async takeRecoveryCode(accountId: string, code: string): Promise<boolean> {
      const row = await db
        .deleteFrom('recovery_codes')
        .where('account_id', '=', accountId)
        .where('hash', '=', hashToken(code))
        .returning('hash')
        .executeTakeFirst()
      return row !== undefined
    },
    /** Which second factors an account has: one query for every sign-in. */
    async summarize(accountId: string): Promise<{ hasTotp: boolean; passkeys: number; recoveryCodes: number }> {
      const { rows } = await sql<{ hasTotp: boolean; passkeys: number; recoveryCodes: number }>`select
        exists (select 1 from totps where account_id = ${accountId} and confirmed_at is not null) as "hasTotp",
        (select count(*)::int from passkeys where account_id = ${accountId}) as passkeys,
        (select count(*)::int from recovery_codes where account_id = ${accountId}) as "recoveryCodes"`.execute(db)
      return rows[0] ?? { hasTotp: false, passkeys: 0, recoveryCodes: 0 }
    },
  }
}
