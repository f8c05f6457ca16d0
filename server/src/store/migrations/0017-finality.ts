import { type Kysely, sql } from 'kysely'

/** Alerts that wait until their block is as final as the subscription wants (`waiting-alerts.ts`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table alerts add column finality text, add column is_collected boolean not null default false',
  "create index alerts_waiting on alerts (source, finality, block_number) where status = 'waiting'",
]
