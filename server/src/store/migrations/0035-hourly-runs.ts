import { type Kysely, sql } from 'kysely'

/** How often each trigger ran, how long its runs took and how many failed, hour by hour, with the last runs of the hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table count_changes add column runs json',
  `create table hourly_runs (
    trigger_id text not null, hour timestamptz not null,
    runs bigint not null, fired bigint not null, failed bigint not null,
    duration_ms double precision not null, slowest_ms double precision not null, provider_calls bigint not null,
    last jsonb not null, primary key (trigger_id, hour))`,
  'create index on hourly_runs (hour)',
]
