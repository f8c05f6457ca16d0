import type pg from 'pg'

export type Column = { name: string; type: string }
export type Table = { name: string; columns: Column[] }

/** Work that is still to be done travels along; the queues themselves are made by the service. */
const jobs = 'pgboss.job'

/**
 * The tables that hold rows of their own: a partition's rows are its parent's, a generated column is not data, and
 * `changes` only tells running engines what to load again.
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

/** The name of the newest migration, or undefined where none has run. */
export async function lastMigration(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query(`select to_regclass('public.kysely_migration') is not null as exists`)
  if (!rows[0]?.exists) return undefined
  const { rows: migrations } = await client.query('select max(name) as name from public.kysely_migration')
  return migrations[0]?.name ?? undefined
}

/** The migrator's own tables are filled by migrating, so in them rows are no sign of use. */
export function isMigratorTable(name: string): boolean {
  return name.startsWith('kysely_migration')
}

export function qualified(client: pg.Client, name: string): string {
  return name === jobs ? jobs : `public.${client.escapeIdentifier(name)}`
}
