import { type Kysely, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import type { Tables, TriggerDefinition } from '../core/tables.ts'

/** A factory of a trigger on one source. `factory` is the key of its definition. */
export type FactoryName = { triggerId: string; source: string; factory: string }
/** The blocks from `fromBlock` to `learnedTo` were read for new contracts; null means that none was. */
export type FactoryProgress = { fromBlock: number | null; learnedTo: number | null }
/** `isLearned` is false while earlier blocks are read by ranges; after that the follower reads block by block. */
export type StoredFactory = FactoryProgress & { isLearned: boolean }
/** A factory whose earlier blocks are still to be read, with the definition that names it. */
export type UnlearnedFactory = FactoryProgress & Omit<FactoryName, 'source'> & { definition: TriggerDefinition }
/** A factory of a saved definition. `fromBlock` is null if the definition names no block: the first one is looked for. */
export type SavedFactory = Omit<FactoryName, 'triggerId'> & { fromBlock: number | null }
/** A contract that a factory created, and the block that shows it. */
export type NewMember = { triggerId: string; factory: string; address: string; number: number; hash: string }

export function factoriesTable({ db }: Base) {
  return {
    async find({ triggerId, source, factory }: FactoryName): Promise<StoredFactory | undefined> {
      const row = await db
        .selectFrom('trigger_factories')
        .select(['from_block', 'learned_to', 'is_learned'])
        .where('trigger_id', '=', triggerId)
        .where('source', '=', source)
        .where('factory', '=', factory)
        .executeTakeFirst()
      return (
        row && {
          fromBlock: numberOf(row.from_block),
          learnedTo: numberOf(row.learned_to),
          isLearned: row.is_learned,
        }
      )
    },
    /** The sources with factories whose earlier blocks are still to be read. */
    async listLearningSources(): Promise<string[]> {
      const rows = await db
        .selectFrom('trigger_factories')
        .select('source')
        .distinct()
        .where('is_learned', '=', false)
        .execute()
      return rows.map(({ source }) => source)
    },
    async listUnlearned(source: string): Promise<UnlearnedFactory[]> {
      const rows = await db
        .selectFrom('trigger_factories as f')
        .innerJoin('triggers as t', 't.id', 'f.trigger_id')
        .select(['f.trigger_id', 'f.factory', 'f.from_block', 'f.learned_to', 't.definition'])
        .where('f.source', '=', source)
        .where('f.is_learned', '=', false)
        .orderBy('f.trigger_id')
        .execute()
      return rows.map((row) => ({
        triggerId: row.trigger_id,
        factory: row.factory,
        fromBlock: numberOf(row.from_block),
        learnedTo: numberOf(row.learned_to),
        definition: row.definition,
      }))
    },
    /** Writes what was read by a range. */
    async advance({ triggerId, source, factory }: FactoryName, to: StoredFactory): Promise<void> {
      await db
        .updateTable('trigger_factories')
        .set({ from_block: textOf(to.fromBlock), learned_to: textOf(to.learnedTo), is_learned: to.isLearned })
        .where('trigger_id', '=', triggerId)
        .where('source', '=', source)
        .where('factory', '=', factory)
        .execute()
    },
    /** True if no factory of the trigger has earlier blocks to read. */
    async areAllLearned(triggerId: string): Promise<boolean> {
      const row = await db
        .selectFrom('trigger_factories')
        .select('source')
        .where('trigger_id', '=', triggerId)
        .where('is_learned', '=', false)
        .executeTakeFirst()
      return row === undefined
    },
    /** The blocks that passed while nobody subscribed are too many to be read block by block. */
    async markBehind({ triggerId, source, factory }: FactoryName): Promise<void> {
      await db
        .updateTable('trigger_factories')
        .set({ is_learned: false })
        .where('trigger_id', '=', triggerId)
        .where('source', '=', source)
        .where('factory', '=', factory)
        .execute()
    },
    /** Contracts that factories of triggers which still exist created. */
    async addMembers(source: string, members: readonly NewMember[]): Promise<void> {
      if (members.length === 0) return
      await sql`insert into factory_members (trigger_id, source, factory, address, block_number, block_hash)
        select f.trigger_id, f.source, f.factory, x.address, x.number, x.hash
        from json_to_recordset(${json(members)}::json)
          as x ("triggerId" text, factory text, address text, number bigint, hash text)
        join trigger_factories f on f.trigger_id = x."triggerId" and f.source = ${source} and f.factory = x.factory
        on conflict do nothing`.execute(db)
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
    /** Writes the progress of learned factories of triggers that still exist, in the commit of the blocks. */
    async save(
      source: string,
      progress: readonly { triggerId: string; factory: string; learnedTo: number }[],
    ): Promise<void> {
      await sql`update trigger_factories f set learned_to = x."learnedTo"
        from json_to_recordset(${json(progress)}::json) as x ("triggerId" text, factory text, "learnedTo" bigint)
        where f.trigger_id = x."triggerId" and f.source = ${source} and f.factory = x.factory and f.is_learned`.execute(
        db,
      )
    },
    /** Forgets the contracts that blocks after `to` created; those blocks are read again. */
    async undo(source: string, to: number): Promise<void> {
      await sql`delete from factory_members where source = ${source} and block_number > ${to}`.execute(db)
      await sql`update trigger_factories set learned_to = greatest(${to}::bigint, from_block - 1)
        where source = ${source} and learned_to > ${to}`.execute(db)
    },
    /** The source serves another network now, so everything is read again. */
    async forget(source: string): Promise<void> {
      await db.deleteFrom('factory_members').where('source', '=', source).execute()
      await db
        .updateTable('trigger_factories')
        .set({ from_block: null, learned_to: null, is_learned: false })
        .where('source', '=', source)
        .execute()
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

function textOf(value: number | null): string | null {
  return value === null ? null : String(value)
}

function numberOf(value: string | null): number | null {
  return value === null ? null : Number(value)
}
