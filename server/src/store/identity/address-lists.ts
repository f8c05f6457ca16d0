import type { Level } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, json, newId, type PageQuery } from '../core/base.ts'
import { anyOfFirst, firstOfMember } from '../core/first-rows.ts'
import type { AddressListsTable, Tables } from '../core/tables.ts'

export type AddressListRow = Selectable<AddressListsTable> & { workspace: string }
export type MemberAddressListRow = AddressListRow & { level: Level }
export type AddressListFields = Pick<AddressListRow, 'type' | 'addresses' | 'meta'>
export type NewAddressList = AddressListFields & { workspaceId: string; name: string; fullname: string }
/** The part of a list that conditions need. */
export type ListToMatch = Pick<AddressListRow, 'fullname' | 'workspace_id' | 'addresses'>
/** What names a list in its conditions: the first triggers by fullname, and how many templates and subscriptions. */
export type ListUses = { triggers: string[]; templates: number; subscriptions: number }

/** A page ends after the list with which it has this many addresses, because one list alone may have 10,000. */
const addressesPerPage = 20_000
const triggersShownMax = 20

export function addressListsTable({ db }: Base) {
  return {
    findForMember(fullname: string, accountId: string): Promise<MemberAddressListRow | undefined> {
      return selectForMember(db, accountId).where('l.fullname', '=', fullname).executeTakeFirst()
    },
    async listForMember(accountId: string, workspace: string | undefined, page: PageQuery) {
      const first = firstOfMember('address_lists', accountId, { ...page, workspace })
      const rows = await db
        .selectFrom(
          selectForMember(db, accountId)
            .where('l.id', '=', anyOfFirst([first], page.limit))
            .select([
              sql<number>`sum(l.count) over (order by l.fullname) - l.count`.as('before'),
              sql<number>`row_number() over (order by l.fullname)`.as('position'),
              sql<number>`count(*) over ()`.as('found'),
            ])
            .as('x'),
        )
        .selectAll()
        .where('before', '<', addressesPerPage)
        .where('position', '<=', page.limit)
        .orderBy('fullname')
        .execute()
      const last = rows.at(-1)
      return { rows, ...(last && rows.length < Number(last.found) && { next: last.fullname }) }
    },
    /** Locks the row until the transaction ends. */
    lock(fullname: string): Promise<AddressListRow | undefined> {
      return selectLists(db).where('l.fullname', '=', fullname).forUpdate('l').executeTakeFirst()
    },
    /** Which of these lists the workspace has. They cannot be deleted until the transaction ends. */
    async holdNames(fullnames: readonly string[], workspace: string): Promise<string[]> {
      const rows = await selectLists(db)
        .clearSelect()
        .select('l.fullname')
        .where('l.fullname', '=', sql<string>`any(${[...fullnames]})`)
        .where('w.fullname', '=', workspace)
        .forKeyShare('l')
        .execute()
      return rows.map(({ fullname }) => fullname)
    },
    findToMatch(fullnames: readonly string[]): Promise<ListToMatch[]> {
      return db
        .selectFrom('address_lists')
        .select(['fullname', 'workspace_id', 'addresses'])
        .where('fullname', '=', sql<string>`any(${[...fullnames]})`)
        .execute()
    },
    /** The caller holds the workspace's row, so a free name stays free. */
    async add({ workspaceId, name, fullname, ...fields }: NewAddressList, at: Date): Promise<void> {
      await db
        .insertInto('address_lists')
        .values({ id: newId(), workspace_id: workspaceId, name, fullname, ...columnsOf(fields), ...stamps(at) })
        .execute()
    },
    async update(id: string, fields: AddressListFields, at: Date): Promise<void> {
      await db
        .updateTable('address_lists')
        .set({ ...columnsOf(fields), version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('address_lists').where('id', '=', id).execute()
    },
    /** Only conditions of the list's own workspace can name it. */
    async findUses({ fullname, workspace_id }: ListToMatch): Promise<ListUses> {
      const names = (column: string, conditions: string) => sql`strpos(${sql.ref(column)}::text, ${`"${fullname}"`}) > 0
        and jsonb_path_exists(${sql.ref(column)}::jsonb, ${`${conditions}.**.list ? (@ == $name)`}::jsonpath,
          ${json({ name: fullname })}::jsonb)`
      const ofProjects = sql`project_id in (select id from projects where workspace_id = ${workspace_id})`
      const { rows } = await sql<ListUses>`select
        array(select fullname from triggers where ${ofProjects} and ${names('definition', '$.conditions')}
          order by fullname limit ${sql.lit(triggersShownMax)}) as triggers,
        (select count(*)::integer from templates where ${ofProjects} and ${names('rules', '$[*].conditions')}) as templates,
        (select count(*)::integer from subscriptions where workspace_id = ${workspace_id}
          and conditions is not null and ${names('conditions', '$')}) as subscriptions`.execute(db)
      return rows[0] ?? { triggers: [], templates: 0, subscriptions: 0 }
    },
  }
}

function selectLists(db: Kysely<Tables>) {
  return db
    .selectFrom('address_lists as l')
    .innerJoin('workspaces as w', 'w.id', 'l.workspace_id')
    .selectAll('l')
    .select('w.fullname as workspace')
}

function selectForMember(db: Kysely<Tables>, accountId: string) {
  return selectLists(db)
    .innerJoin('members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'l.workspace_id').on('m.account_id', '=', accountId),
    )
    .select('m.level')
}

function columnsOf({ type, addresses, meta }: AddressListFields) {
  return { type, addresses: json(addresses), count: addresses.length, meta: json(meta) }
}

function stamps(at: Date) {
  return { created_at: at, updated_at: at }
}
