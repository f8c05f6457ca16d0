import pg from 'pg'

/** Every row of every table as text, to check that no secret is in it. */
export async function dumpTables(databaseUrl: string, schemas = ['public']): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const tables = await client.query<{ name: string }>(
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema = any($1)",
    [schemas],
  )
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const rows = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
    texts.push(...rows.rows.map(({ row }) => row))
  }
  await client.end()
  return texts.join('\n')
}
