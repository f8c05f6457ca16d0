import { type Kysely, sql } from 'kysely'

/** Alerts that fire and resolve, repeated deliveries of a firing alert, and versions of the states of policies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table alerts add column state text, add column resolves text, add column duration_ms bigint',
  // A reorg retracts an alert together with the one that resolves it.
  'create index alerts_resolving on alerts (resolves) where resolves is not null',
  'alter table deliveries add column repeat integer not null default 0',
  'alter table policy_states add column version integer not null default 0',
]
