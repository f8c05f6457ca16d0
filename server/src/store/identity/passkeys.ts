import type { Selectable } from 'kysely'
import { type Base, type PageQuery, pageOf } from '../core/base.ts'
import type { PasskeysTable } from '../core/tables.ts'

export type PasskeyRow = Selectable<PasskeysTable>

export function passkeysTable({ db }: Base) {
  return {
    async list(accountId: string, page: PageQuery) {
      const rows = await db
        .selectFrom('passkeys')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(page.after !== undefined, (query) => query.where('id', '>', page.after ?? ''))
        .orderBy('id')
        .limit(page.limit + 1)
        .execute()
      return pageOf<PasskeyRow>(rows, page.limit, (row) => row.id)
    },
    find(id: string): Promise<PasskeyRow | undefined> {
      return db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
    },
    /** Adds nothing if the passkey is known. */
    add(passkey: {
      id: string
      accountId: string
      name: string
      publicKey: string
      counter: number
      at: Date
    }): Promise<PasskeyRow | undefined> {
      return db
        .insertInto('passkeys')
        .values({
          id: passkey.id,
          account_id: passkey.accountId,
          name: passkey.name,
          public_key: passkey.publicKey,
          counter: passkey.counter,
          created_at: passkey.at,
          last_used_at: null,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returningAll()
        .executeTakeFirst()
    },
    rename(accountId: string, id: string, name: string): Promise<PasskeyRow | undefined> {
      return db
        .updateTable('passkeys')
        .set({ name })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },
    async recordUse(id: string, counter: number, at: Date): Promise<void> {
      await db.updateTable('passkeys').set({ counter, last_used_at: at }).where('id', '=', id).execute()
    },
    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('passkeys').where('account_id', '=', accountId).execute()
    },
    async remove(accountId: string, id: string): Promise<boolean> {
      const row = await db
        .deleteFrom('passkeys')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
