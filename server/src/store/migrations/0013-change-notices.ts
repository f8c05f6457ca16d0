import { type Kysely, sql } from 'kysely'

/** Reports changes of the tables that engines read again, so that the engines need not poll for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function notify_engines() returns trigger language plpgsql as $$
    begin
      perform pg_notify('tocsin', tg_table_name);
      return null;
    end $$`.execute(db)
  for (const table of ['changes', 'trigger_events'])
    await sql`create trigger notify_engines after insert on ${sql.table(table)}
      for each statement execute function notify_engines()`.execute(db)
}
