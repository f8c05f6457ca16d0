import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate } from '../server/src/store/core/migrate.ts'
import { type Receiver, startReceiver } from './harness/deliveries.ts'
import { until } from './harness/following.ts'
import { checkedClient, harness, resource } from './harness/index.ts'
import { run, withDatabase } from './setup/postgres.ts'

type Table = { name: string; columns: { name: string; type: string }[]; rows: Record<string, string | null>[] }
/** The rows of a store of version 0.1, as text: a project whose trigger on EVM logs has fired, and a timer. */
const archive = JSON.parse(readFileSync(join(import.meta.dirname, 'version-0.1.json'), 'utf8')) as { tables: Table[] }
const token = 'tcn_personal_of-version-0.1-for-the-upgrade-test'
const variables = { SECRET_KEY: 'upgrade '.repeat(5), ALLOW_PRIVATE_NETWORKS: 'on' }
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver?.close())

test('a store of version 0.1 comes up on the current code, and its triggers run on', async () => {
  const name = `upgrade_${randomBytes(4).toString('hex')}`
  await run(inject('postgresUrl'), `create database ${name}`)
  const url = withDatabase(inject('postgresUrl'), name)
  await migrate(url, '0015-list-orders')
  expect(await writeLikeBefore(url)).toEqual([])
  const house = await harness({ ...variables, ROLE: 'all', DATABASE_URL: url })
  const owner = checkedClient(house.url, token)
  expect(await owner.listAlerts({ query: { trigger: 'acme.p.logs' } })).toMatchObject([
    { status: 'delivered', source: 'acme.evm', severity: 'info', state: null, backfilled: false },
  ])
  expect(await owner.getCustomSource({ fullname: 'acme.evm' })).toMatchObject({ kind: 'evm', endpoints: [{}] })
  const body = resource('acme.hook', { data: { url: receiver.url } })
  await owner.saveResource({ fullname: 'acme.hook', body })
  house.clock.advance(60_000)
  const [received] = await until(
    async () => receiver.received,
    (messages) => messages.length > 0,
  )
  expect(JSON.parse(received?.body ?? '')).toMatchObject({ data: { trigger: 'acme.p.tick', severity: 'info' } })
  await house.close()
  await run(inject('postgresUrl'), `drop database ${name} with (force)`)
})

/** Inserts every row with the columns that version 0.1 knew. Tables that refer to others follow them. Returns those that refer to rows that are missing. */
async function writeLikeBefore(url: string): Promise<Table[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let waiting = archive.tables
  for (let before = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length
    const failed: Table[] = []
    for (const table of waiting)
      await insert(client, table).catch((error: pg.DatabaseError) => {
        if (error.code !== foreignKeyViolation) throw error
        failed.push(table)
      })
    waiting = failed
  }
  await client.end()
  return waiting
}

const foreignKeyViolation = '23503'

async function insert(client: pg.Client, { name, columns, rows }: Table): Promise<void> {
  const names = columns.map((column) => client.escapeIdentifier(column.name)).join(', ')
  const values = columns.map((column) => `(line ->> ${client.escapeLiteral(column.name)})::${column.type}`).join(', ')
  await client.query(
    `insert into ${client.escapeIdentifier(name)} (${names}) overriding system value
      select ${values} from (select text::json as line from unnest($1::text[]) as text) lines`,
    [rows.map((row) => JSON.stringify(row))],
  )
  // The sequences go on after the rows, as they did in the store of version 0.1.
  for (const { name: column } of columns.filter(({ type }) => type === 'bigint'))
    await client.query(
      `select setval(sequence, (select max(${client.escapeIdentifier(column)})::bigint from ${client.escapeIdentifier(name)}))
        from pg_get_serial_sequence($1, $2) sequence where sequence is not null`,
      [name, column],
    )
}
