import { type Kysely, sql } from 'kysely'

/** Subscriptions that run over past blocks before they are live (`histories.ts`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table histories (
    subscription_id text primary key references subscriptions on delete cascade, source text not null,
    from_block bigint not null, to_block bigint not null, fetched bigint not null, queued bigint not null,
    done bigint not null, generation integer not null default 0, delivers boolean not null, state text not null,
    reason text, created_at timestamptz not null, updated_at timestamptz not null)`,
  "create index histories_running on histories (source) where state = 'running'",
  // When a history ends, its subscription becomes live.
  `create trigger note_change after update of state on histories for each row
    execute function note_change('subscription', 'subscription_id')`,
  'alter table alerts add column backfilled boolean not null default false',
]
