import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { type Base, newId, type PageQuery, pageOf, violatedConstraint } from '../core/base.ts'
import type { AddressesTable, Tables } from '../core/tables.ts'

export type AddressRow = Selectable<AddressesTable>
export type AddressFields = Pick<AddressRow, 'type' | 'address' | 'normal' | 'alias'>
/** Whose book it is. */
export type BookOwner = { accountId: string } | { workspaceId: string }
/** The part of an entry that another entry of the book already uses. */
export type Taken = { taken: 'address' | 'alias' }
/** An entry with the name of the account that changed it last. */
export type SharedAddressRow = AddressRow & { changed_by_name: string | null }

const bookMax = 100_000

/**
 * The address books of accounts and workspaces. Every function takes the owner of the book, so that none reaches an entry of
 * another book.
 */
export function addressesTable({ db }: Base) {
  return {
    async list(owner: BookOwner, page: PageQuery) {
      const rows = await db
        .selectFrom('addresses')
        .leftJoin('accounts', 'accounts.id', 'addresses.changed_by')
        .selectAll('addresses')
        .select('accounts.name as changed_by_name')
        .where(isOf(owner))
        .$if(page.after !== undefined, (query) => query.where('alias', '>', page.after ?? ''))
        .orderBy('alias')
        .limit(page.limit + 1)
        .execute()
      return pageOf<SharedAddressRow>(rows, page.limit, (row) => row.alias)
    },
    /** The entries for messages, those of the account last: its own name for an address counts. */
    listForBooks(accountId: string | null, workspaceId: string | null): Promise<AddressFields[]> {
      return db
        .selectFrom('addresses')
        .select(['type', 'address', 'normal', 'alias'])
        .where(({ eb, or }) => or([eb('account_id', '=', accountId), eb('workspace_id', '=', workspaceId)]))
        .orderBy('account_id', (order) => order.asc().nullsFirst())
        .limit(bookMax)
        .execute()
    },
    /** The aliases of these addresses by normal form. */
    async findAliases(
      owner: BookOwner,
      type: AddressRow['type'],
      normals: readonly string[],
    ): Promise<Map<string, string>> {
      const rows = await db
        .selectFrom('addresses')
        .select(['normal', 'alias'])
        .where(isOf(owner))
        .where('type', '=', type)
        .where('normal', '=', sql<string>`any(${normals})`)
        .execute()
      return new Map(rows.map(({ normal, alias }) => [normal, alias]))
    },
    /** Locks the entry until the transaction ends. */
    lock(owner: BookOwner, id: string): Promise<AddressRow | undefined> {
      return db
        .selectFrom('addresses')
        .selectAll()
        .where(isOf(owner))
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    },
    add(owner: BookOwner, fields: AddressFields, by: string | null, at: Date): Promise<AddressRow | Taken> {
      const book =
        'accountId' in owner ? { account_id: owner.accountId } : { account_id: null, workspace_id: owner.workspaceId }
      return unlessTaken(
        db
          .insertInto('addresses')
          .values({ id: newId(), ...book, ...fields, changed_by: by, created_at: at, updated_at: at })
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
    },
    update(
      owner: BookOwner,
      id: string,
      fields: AddressFields,
      by: string | null,
      at: Date,
    ): Promise<AddressRow | Taken> {
      return unlessTaken(
        db
          .updateTable('addresses')
          .set({ ...fields, changed_by: by, version: sql`version + 1`, updated_at: at })
          .where(isOf(owner))
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
    },
    async remove(owner: BookOwner, id: string): Promise<void> {
      await db.deleteFrom('addresses').where(isOf(owner)).where('id', '=', id).execute()
    },
  }
}

function isOf(owner: BookOwner) {
  return ({ eb }: ExpressionBuilder<Tables, 'addresses'>) =>
    'accountId' in owner
      ? eb('addresses.account_id', '=', owner.accountId)
      : eb('addresses.workspace_id', '=', owner.workspaceId)
}

/** PostgreSQL aborts the transaction when a value is taken, so the caller has to give up the rest of it. */
async function unlessTaken(written: Promise<AddressRow>): Promise<AddressRow | Taken> {
  try {
    return await written
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'addresses_normal' || constraint === 'addresses_workspace_normal') return { taken: 'address' }
    if (constraint === 'addresses_alias' || constraint === 'addresses_workspace_alias') return { taken: 'alias' }
    throw error
  }
}
