import { type Selectable, sql } from 'kysely'
import { type Base, newId, type PageQuery, pageOf, violatedConstraint } from '../core/base.ts'
import type { AddressesTable } from '../core/tables.ts'

export type AddressRow = Selectable<AddressesTable>
export type AddressFields = Pick<AddressRow, 'type' | 'address' | 'normal' | 'alias'>
/** The part of an entry that another entry of the account already uses. */
export type Taken = { taken: 'address' | 'alias' }

const bookMax = 100_000

/** One address book per account. Every function takes the account id, so that no function reaches another account's entries. */
export function addressesTable({ db }: Base) {
  return {
    async list(accountId: string, page: PageQuery) {
      const rows = await db
        .selectFrom('addresses')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(page.after !== undefined, (query) => query.where('alias', '>', page.after ?? ''))
        .orderBy('alias')
        .limit(page.limit + 1)
        .execute()
      return pageOf<AddressRow>(rows, page.limit, (row) => row.alias)
    },
    /** The entries for messages. */
    listForBook(accountId: string): Promise<Pick<AddressRow, 'address' | 'normal' | 'alias'>[]> {
      return db
        .selectFrom('addresses')
        .select(['address', 'normal', 'alias'])
        .where('account_id', '=', accountId)
        .limit(bookMax)
        .execute()
    },
    /** The aliases of these addresses by normal form. */
    async findAliases(
      accountId: string,
      type: AddressRow['type'],
      normals: readonly string[],
    ): Promise<Map<string, string>> {
      const rows = await db
        .selectFrom('addresses')
        .select(['normal', 'alias'])
        .where('account_id', '=', accountId)
        .where('type', '=', type)
        .where('normal', '=', sql<string>`any(${normals})`)
        .execute()
      return new Map(rows.map(({ normal, alias }) => [normal, alias]))
    },
    /** Locks the entry until the transaction ends. */
    lock(accountId: string, id: string): Promise<AddressRow | undefined> {
      return db
        .selectFrom('addresses')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    },
    add(accountId: string, fields: AddressFields, at: Date): Promise<AddressRow | Taken> {
      return unlessTaken(
        db
          .insertInto('addresses')
          .values({ id: newId(), account_id: accountId, ...fields, created_at: at, updated_at: at })
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
    },
    update(accountId: string, id: string, fields: AddressFields, at: Date): Promise<AddressRow | Taken> {
      return unlessTaken(
        db
          .updateTable('addresses')
          .set({ ...fields, version: sql`version + 1`, updated_at: at })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
    },
    async remove(accountId: string, id: string): Promise<void> {
      await db.deleteFrom('addresses').where('account_id', '=', accountId).where('id', '=', id).execute()
    },
  }
}

/** PostgreSQL aborts the transaction when a value is taken, so the caller has to give up the rest of it. */
async function unlessTaken(written: Promise<AddressRow>): Promise<AddressRow | Taken> {
  try {
    return await written
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'addresses_normal') return { taken: 'address' }
    if (constraint === 'addresses_alias') return { taken: 'alias' }
    throw error
  }
}
