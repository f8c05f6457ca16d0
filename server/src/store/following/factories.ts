import { type Kysely, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import type { Tables } from '../core/tables.ts'

/** A factory of a trigger on one source. `factory` is the key of its definition. */
export type FactoryName = { triggerId: string; source: string; factory: string }
/** The blocks from `fromBlock` to `learnedTo` were read for new contracts; null means that none was. */
export type FactoryProgress = { fromBlock: number | null; learnedTo: number | null }
/** A factory of a saved definition. `fromBlock` is null if the save knew no block of the source. */
export type SavedFactory = Omit<FactoryName, 'triggerId'> & { fromBlock: number | null }
/** A contract that a factory created, and the block that shows it. */
export type NewMember = { triggerId: string; factory: string; address: string; number: number; hash: string }

export function factoriesTable({ db }: Base) {
  return {
    async find({ triggerId, source, factory }: FactoryName): Promise<FactoryProgress | undefined> {
      const row = await db
        .selectFrom('trigger_factories')
        .select(['from_block', 'learned_to'])
        .where('trigger_id', '=', triggerId)
        .where('source', '=', source)
        .where('factory', '=', factory)
        .executeTakeFirst()
      return row && { fromBlock: numberOf(row.from_block), learnedTo: numberOf(row.learned_to) }
    },
    /** With `before`: the members that blocks before that one show. */
    async listMembers({ triggerId, source, factory }: FactoryName, before?: number): Promise<string[]> {
      const members = db
        .selectFrom('factory_members')
        .select('address')
        .where('trigger_id', '=', triggerId)
        .where('source', '=', source)
        .where('factory', '=', factory)
      const rows = await (before === undefined ? members : members.where('block_number', '<', String(before))).execute()
      return rows.map(({ address }) => address)
    },
    /** Writes progress and members of triggers that still exist, in the commit of the blocks that show them. */
    async save(
      source: string,
      progress: readonly (FactoryProgress & { triggerId: string; factory: string })[],
      members: readonly NewMember[],
    ): Promise<void> {
      await sql`insert into trigger_factories (trigger_id, source, factory, from_block, learned_to)
        select x."triggerId", ${source}, x.factory, x."fromBlock", x."learnedTo"
        from json_to_recordset(${json(progress)}::json)
          as x ("triggerId" text, factory text, "fromBlock" bigint, "learnedTo" bigint)
        where exists (select from triggers t where t.id = x."triggerId")
        on conflict (trigger_id, source, factory) do update set from_block = excluded.from_block,
          learned_to = excluded.learned_to`.execute(db)
      if (members.length === 0) return
      await sql`insert into factory_members (trigger_id, source, factory, address, block_number, block_hash)
        select f.trigger_id, f.source, f.factory, x.address, x.number, x.hash
        from json_to_recordset(${json(members)}::json)
          as x ("triggerId" text, factory text, address text, number bigint, hash text)
        join trigger_factories f on f.trigger_id = x."triggerId" and f.source = ${source} and f.factory = x.factory
        on conflict do nothing`.execute(db)
    },
    /** Forgets the contracts that blocks after `to` created; those blocks are read again. */
    async undo(source: string, to: number): Promise<void> {
      await sql`delete from factory_members where source = ${source} and block_number > ${to}`.execute(db)
      await sql`update trigger_factories set learned_to = greatest(${to}::bigint, from_block - 1)
        where source = ${source} and learned_to > ${to}`.execute(db)
    },
    /** The source serves another network now. */
    async forget(source: string): Promise<void> {
      await db.deleteFrom('trigger_factories').where('source', '=', source).execute()
    },
  }
}

/** Keeps the factories that the definition still has, with what was learned, and adds the others. */
export async function replaceFactories(db: Kysely<Tables>, triggerId: string, factories: readonly SavedFactory[]) {
  const kept = json(factories)
  await sql`delete from trigger_factories f where f.trigger_id = ${triggerId} and not exists (
    select from json_to_recordset(${kept}::json) as x (source text, factory text)
    where x.source = f.source and x.factory = f.factory)`.execute(db)
  if (factories.length === 0) return
  await sql`insert into trigger_factories (trigger_id, source, factory, from_block)
    select ${triggerId}, source, factory, "fromBlock"
    from json_to_recordset(${kept}::json) as x (source text, factory text, "fromBlock" bigint)
    on conflict do nothing`.execute(db)
}

function numberOf(value: string | null): number | null {
  return value === null ? null : Number(value)
}
