import { type Kysely, sql } from 'kysely'

/**
 * The factories of triggers, how far their blocks were read, and the contracts that they created. `from_block` is null until
 * the source is followed, if the save knew no block of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table trigger_factories (
    trigger_id text not null references triggers on delete cascade, source text not null, factory text not null,
    from_block bigint, learned_to bigint, primary key (trigger_id, source, factory))`.execute(db)
  await sql`create index on trigger_factories (source)`.execute(db)
  await sql`create table factory_members (
    trigger_id text not null, source text not null, factory text not null, address text not null,
    block_number bigint not null, block_hash text not null, primary key (trigger_id, source, factory, address),
    foreign key (trigger_id, source, factory) references trigger_factories on delete cascade)`.execute(db)
  await sql`create index on factory_members (source, block_number)`.execute(db)
}
