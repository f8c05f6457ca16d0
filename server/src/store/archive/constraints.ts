import type pg from 'pg'

type ForeignKey = { table: string; name: string; definition: string }

/**
 * Drops the foreign keys before the work and restores them after it, so that rows can come in any order, even in cycles.
 * PostgreSQL checks every row when a key is restored. The owner of the tables may do this; disabling the checks would
 * need a superuser and would check nothing. Triggers are disabled, because they ran when the rows were first written.
 */
export async function withoutConstraints(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const keys = await listForeignKeys(client)
  const tables = await listTablesWithTriggers(client)
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  await work()
  // PostgreSQL cannot alter a table that has pending deferred checks.
  await client.query('set constraints all immediate')
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
}

async function listForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 1, 2`)
  return rows
}

async function listTablesWithTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(`
    select distinct t.tgrelid::regclass::text as table
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`)
  return rows.map((row) => row.table)
}
