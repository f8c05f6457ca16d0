import { type Kysely, sql } from 'kysely'

/** Deletes the deliveries of deleted alerts once per statement. Once per row took twice as long as deleting the alerts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'drop trigger forget on alerts',
  // An array, because PostgreSQL does not know how many rows `gone` has and might read all deliveries for a join.
  `create or replace function forget_alerts() returns trigger language plpgsql as $$
    begin
      delete from deliveries where alert_id = any(array(select id from gone));
      return null;
    end $$`,
  `create trigger forget after delete on alerts referencing old table as gone
    for each statement execute function forget_alerts()`,
]
