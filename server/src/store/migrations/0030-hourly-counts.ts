import { type Kysely, sql } from 'kysely'

/**
 * How many alerts were recorded and how their deliveries went, hour by hour; the last attempt of a destination; and an
 * index of the alerts that fire.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Each commit adds one row. Adding to the counts at once would make all commits of an hour wait for the same rows.
  `create table count_changes (id bigint generated always as identity primary key, hour timestamptz not null,
    changes json not null)`,
  `create table hourly_counts (
    owner_kind text not null, owner_id text not null, hour timestamptz not null,
    recorded bigint not null, delivered bigint not null, failed bigint not null, failed_attempts bigint not null,
    primary key (owner_kind, owner_id, hour))`,
  'create index on hourly_counts (hour)',
  'alter table lanes add column last_attempt json',
  "create index alerts_firing on alerts (workspace_id, seq) where state = 'firing'",
]
