import type pg from 'pg'

/**
 * Drops the indexes of the tables while the work runs, because building an index at the end is faster. Primary keys stay, and
 * so do partial indexes, because the service's sweeper uses them meanwhile.
 */
export async function withoutIndexes(
  database: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await database.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::regclass[]) and not i.indisprimary and i.indpred is null`,
    [tables],
  )
  for (const { name } of rows) await database.query(`drop index ${name}`)
  await work()
  await database.query(`set maintenance_work_mem = '512MB'`)
  for (const { definition } of rows) await database.query(definition)
}
