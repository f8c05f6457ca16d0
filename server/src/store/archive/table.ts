import type pg from 'pg'

export type Column = { name: string; type: string }
export type Table = { name: string; columns: Column[] }

/** The archive includes unfinished jobs. The service itself creates the queues. */
const jobs = 'pgboss.job'

/**
 * The tables to export. A partition's rows belong to its parent, a generated column is not data, and `changes` only tells
 * running engines what to reload.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: Column[] }>(`
    select case when c.relnamespace = 'public'::regnamespace then c.relname else '${jobs}' end as name,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'changes'
      and (c.relnamespace = 'public'::regnamespace or c.oid = to_regclass('${jobs}'))
    group by c.relnamespace, c.relname order by 1`)
  return rows
}

/** The name of the newest migration, or undefined when none has run. */
export async function lastMigration(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query(`select to_regclass('public.kysely_migration') is not null as exists`)
  if (!rows[0]?.exists) return undefined
  const { rows: migrations } = await client.query('select max(name) as name from public.kysely_migration')
  return migrations[0]?.name ?? undefined
}

/** Migrating fills the migrator's own tables, so their rows do not mean that the database is used. */
export function isMigratorTable(name: string): boolean {
  return name.startsWith('kysely_migration')
}

export function qualified(client: pg.Client, name: string): string {
  return name === jobs ? jobs : `public.${client.escapeIdentifier(name)}`
}
