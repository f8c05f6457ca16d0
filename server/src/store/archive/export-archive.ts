import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type pg from 'pg'
import { syncFolder } from '../core/data-folder.ts'
import {
  formatVersion,
  type Manifest,
  macName,
  manifestName,
  type SequenceEntry,
  type SignManifest,
  type TableEntry,
} from './manifest.ts'
import { type ArchiveOptions, inTransaction, withSession } from './session.ts'
import { lastMigration, listTables, qualified, type Table } from './table.ts'

/** Writes all rows of all tables, from one snapshot, into a new folder. The folder appears when it is complete. */
export async function exportArchive(url: string, folder: string, options: ArchiveOptions): Promise<void> {
  const { signal, sign } = options
  const target = resolve(folder)
  requireNew(target)
  const temporary = `${target}.partial-${process.pid}`
  mkdirSync(dirname(target), { recursive: true })
  mkdirSync(temporary, { mode: 0o700 })
  try {
    const manifest = await withSession(url, signal, (client) =>
      inTransaction(client, 'isolation level repeatable read read only', () =>
        exportTables(client, temporary, options),
      ),
    )
    await writeManifest(temporary, `${JSON.stringify(manifest, null, 2)}\n`, sign)
    renameSync(temporary, target)
    syncFolder(dirname(target))
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw error
  }
}

function requireNew(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is there already and not empty.`)
}

async function exportTables(client: pg.Client, folder: string, options: ArchiveOptions): Promise<Manifest> {
  const tables: TableEntry[] = []
  const of = await estimateRows(client)
  let done = 0
  const count = (rows: number) => {
    done += rows
    options.progress?.(done, of)
  }
  for (const table of await listTables(client)) {
    const entry = await exportTable(client, table, folder, count)
    options.log(`${entry.name}: ${entry.rows} rows`)
    tables.push(entry)
  }
  return {
    format: formatVersion,
    migration: await lastMigration(client),
    tables,
    sequences: await readSequences(client),
  }
}

/** As PostgreSQL knows it from its last look at the tables. */
async function estimateRows(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`)
  return rows[0]?.rows ?? 0
}

async function exportTable(
  client: pg.Client,
  table: Table,
  folder: string,
  count: (rows: number) => void,
): Promise<TableEntry> {
  const name = `${encodeURIComponent(table.name)}.jsonl`
  let rows = 0
  const sha256 = await writeArchiveFile(join(folder, name), async (write) => {
    for await (const lines of readLines(client, table)) {
      rows += lines.length
      await write(`${lines.join('\n')}\n`)
      count(lines.length)
    }
  })
  return { name: table.name, file: name, columns: table.columns, rows, sha256 }
}

const batchBytes = 2 * 1024 * 1024
const batchRowsMax = 2000

/** Reads by a cursor in batches whose size depends on the rows, so that the memory does not grow with the table. */
async function* readLines(client: pg.Client, table: Table): AsyncGenerator<string[]> {
  await client.query(`declare lines no scroll cursor for ${selectLines(client, table)}`)
  let count = 8
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${count} from lines`)
    if (rows.length === 0) break
    const lines = rows.map((row) => row.line)
    yield lines
    const bytes = lines.reduce((sum, line) => sum + line.length, 1)
    count = Math.max(1, Math.min(batchRowsMax, Math.floor((batchBytes * lines.length) / bytes)))
  }
  await client.query('close lines')
}

/** Exports every value as text: JSON would round numbers and could not distinguish a JSON null from SQL NULL. */
function selectLines(client: pg.Client, table: Table): string {
  const columns = table.columns
    .map(({ name }) => client.escapeIdentifier(name))
    .map((name) => `${name}::text as ${name}`)
  return `select row_to_json(line)::text as line from (select ${columns.join(', ')} from ${qualified(client, table.name)}) line`
}

/** Sequences are not part of snapshots. The value read here is at least as high as in the exported rows. */
async function readSequences(client: pg.Client): Promise<SequenceEntry[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  )
  const sequences: SequenceEntry[] = []
  for (const { name } of rows) {
    const found = await client.query(`select last_value::text as value, is_called from ${qualified(client, name)}`)
    sequences.push({ name, value: found.rows[0].value, isCalled: found.rows[0].is_called })
  }
  return sequences
}

async function writeManifest(folder: string, text: string, sign: SignManifest | undefined): Promise<void> {
  await writeArchiveFile(join(folder, manifestName), (write) => write(text))
  if (sign) await writeArchiveFile(join(folder, macName), (write) => write(`${sign(text)}\n`))
}

type Write = (text: string) => Promise<void>

/**
 * Writes a new file that only its owner can read, syncs it to disk and returns its SHA-256. It closes the file also if
 * `fill` fails.
 */
async function writeArchiveFile(path: string, fill: (write: Write) => Promise<void>): Promise<string> {
  const handle = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  try {
    await fill(async (text) => {
      hash.update(text)
      await handle.writeFile(text)
    })
    await handle.sync()
    return hash.digest('hex')
  } finally {
    await handle.close()
  }
}
