/**
 * The rows of a store as the last landed migration left it, in `tests/landed-store.json`. They were written by a service.
 * `changes` and the jobs of pg-boss are not among them: the first only wakes engines, and the service makes the second again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { withoutConstraints } from '../../server/src/store/archive/import-archive.ts'
import { inTransaction, withSession } from '../../server/src/store/archive/session.ts'
import { isMigratorTable, lastMigration, listTables, qualified } from '../../server/src/store/archive/table.ts'

export type LandedStore = {
  migration: string
  /** A token of the account that owns everything. The store has only its hash. */
  token: string
  tables: Record<string, Record<string, unknown>[]>
}

const file = join(import.meta.dirname, '../landed-store.json')

export function readLandedStore(): LandedStore {
  return JSON.parse(readFileSync(file, 'utf8'))
}

export function recordLandedStore(url: string, token: string): Promise<void> {
  return withSession(url, undefined, (client) =>
    inTransaction(client, 'isolation level repeatable read read only', async () => {
      const store: LandedStore = { migration: (await lastMigration(client)) ?? '', token, tables: {} }
      for (const { name } of await listTables(client)) {
        if (isMigratorTable(name) || name.startsWith('pgboss.')) continue
        const { rows } = await client.query(`select row_to_json(t) as row from ${qualified(client, name)} t`)
        if (rows.length > 0) store.tables[name] = rows.map(({ row }) => row)
      }
      writeFileSync(file, `${JSON.stringify(store, null, 2)}\n`)
    }),
  )
}

/** Fills a database that was migrated as far as the rows. */
export function writeRows(url: string, { tables }: LandedStore): Promise<void> {
  return withSession(url, undefined, (client) =>
    inTransaction(client, 'isolation level read committed', () =>
      withoutConstraints(client, async () => {
        for (const [name, rows] of Object.entries(tables)) await insert(client, qualified(client, name), rows)
      }),
    ),
  )
}

async function insert(client: pg.Client, table: string, rows: Record<string, unknown>[]): Promise<void> {
  await client.query(
    `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
  const { rows: identities } = await client.query<{ column: string }>(
    `select quote_ident(attname) as column from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
    [table],
  )
  // The sequences go on after the rows, as they did in the recorded store.
  for (const { column } of identities)
    await client.query(`select setval(pg_get_serial_sequence($1, $2), (select max(${column}) from ${table}))`, [
      table,
      column,
    ])
}
