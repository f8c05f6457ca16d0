import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type Manifest, readManifest, requireSums, type TableEntry } from './manifest.ts'
import { type ArchiveOptions, inTransaction, withSession } from './session.ts'
import { isMigratorTable, lastMigration, listTables, qualified } from './table.ts'

/** Fills a migrated, empty database from an archive in one transaction: everything or nothing. */
export async function importArchive(url: string, folder: string, options: ArchiveOptions): Promise<void> {
  const { signal } = options
  const manifest = readManifest(folder, options)
  await requireSums(folder, manifest.tables)
  await withSession(url, signal, (client) =>
    inTransaction(client, 'isolation level read committed', async () => {
      await requireSameSchema(client, manifest)
      await requireEmpty(client, manifest.tables)
      await withoutConstraints(client, () => importTables(client, folder, manifest.tables, options))
      await setSequences(client, manifest)
    }),
  )
}

async function requireSameSchema(client: pg.Client, manifest: Manifest): Promise<void> {
  const here = await lastMigration(client)
  if (here !== manifest.migration) {
    throw new Error(
      `The archive was made at migration ${manifest.migration ?? 'none'}, the database is at ${here ?? 'none'}: ` +
        'import it with the version that exported it, then upgrade.',
    )
  }
  const [there, found] = [manifest.tables, await listTables(client)].map((tables) =>
    JSON.stringify(tables.map(({ name, columns }) => ({ name, columns }))),
  )
  if (there !== found) throw new Error('The archive has other tables or columns than the database.')
}

/** Locks the tables, so that they stay empty until the import ends. */
async function requireEmpty(client: pg.Client, tables: TableEntry[]): Promise<void> {
  const names = tables.map(({ name }) => qualified(client, name))
  if (names.length > 0) await client.query(`lock table ${names.join(', ')} in access exclusive mode`)
  for (const { name } of tables) {
    if (isMigratorTable(name)) continue
    const { rowCount } = await client.query(`select 1 from ${qualified(client, name)} limit 1`)
    if (rowCount) throw new Error(`The database is not empty: ${name} has rows. Import into a new one.`)
  }
}

async function importTables(
  client: pg.Client,
  folder: string,
  tables: TableEntry[],
  options: ArchiveOptions,
): Promise<void> {
  const of = tables.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  const count = (rows: number) => {
    done += rows
    options.progress?.(done, of)
  }
  for (const table of tables) {
    if (isMigratorTable(table.name)) await client.query(`delete from ${qualified(client, table.name)}`)
    await importTable(client, join(folder, table.file), table, count)
    options.log(`${table.name}: ${table.rows} rows`)
  }
}

async function importTable(
  client: pg.Client,
  path: string,
  table: TableEntry,
  count: (rows: number) => void,
): Promise<void> {
  const insert = insertLines(client, table)
  let rows = 0
  for await (const lines of readBatches(path)) {
    rows += (await client.query(insert, [lines])).rowCount ?? 0
    count(lines.length)
  }
  if (rows !== table.rows) throw new Error(`${table.name} has ${rows} rows in the archive and not ${table.rows}.`)
}

const batchChars = 2 * 1024 * 1024
const batchLinesMax = 2000

async function* readBatches(path: string): AsyncGenerator<string[]> {
  let [lines, chars]: [string[], number] = [[], 0]
  for await (const line of readLines(path)) {
    lines.push(line)
    chars += line.length
    if (chars < batchChars && lines.length < batchLinesMax) continue
    yield lines
    lines = []
    chars = 0
  }
  if (lines.length > 0) yield lines
}

function insertLines(client: pg.Client, { name, columns }: TableEntry): string {
  const names = columns.map((column) => client.escapeIdentifier(column.name))
  const values = columns.map(({ name, type }) => `(line ->> ${client.escapeLiteral(name)})::${type}`)
  return `insert into ${qualified(client, name)} (${names.join(', ')}) overriding system value
    select ${values.join(', ')} from (select text::json as line from unnest($1::text[]) as text) lines`
}

async function setSequences(client: pg.Client, { sequences }: Manifest): Promise<void> {
  for (const { name, value, isCalled } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [qualified(client, name), value, isCalled])
  }
}

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

/** Only a newline ends a row. `readline` would also split at line separators inside a text. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    const [first, ...others] = String(chunk).split('\n')
    rest += first
    for (const line of others) {
      yield rest
      rest = line
    }
  }
}
