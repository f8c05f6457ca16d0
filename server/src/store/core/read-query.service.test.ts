import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openPool } from './pool.ts'
import { runCompiledOn } from './run-compiled.ts'

const everyKind = `select 'text' as text, 7 as int, 9007199254740993 as bigint, 1.5::float8 as float, 2.50 as numeric,
  true as bool, '{"b": [1, null], "a": "ö"}'::json as json, '[]'::jsonb as jsonb, null as nothing, '' as empty,
  '2026-01-02 03:04:05.678901+00'::timestamptz as time, '\\xdeadbeef'::bytea as bytes, $1::text as given`

const asIs = <Row>(row: Row) => row

function reader(connectionsMax: number) {
  const pool = openPool(inject('postgresUrl'), connectionsMax)
  onTestFinished(() => pool.end())
  const run = runCompiledOn(pool)
  return { pool, read: (sql: string, ...parameters: unknown[]) => run(CompiledQuery.raw(sql, parameters), asIs) }
}

test('rows equal those of pg, on the first run of a statement and on later runs', async () => {
  const { pool, read } = reader(1)
  const { rows } = await pool.query(everyKind, ['x'])
  for (let round = 0; round < 3; round++) expect(await read(everyKind, 'x')).toEqual(rows)
  expect(await read(everyKind, 'y')).toEqual([{ ...rows[0], given: 'y' }])
})

test('concurrent reads get their own rows on every connection', async () => {
  const { read } = reader(3)
  const wanted = Array.from({ length: 60 }, (_, at) => at)
  const found = await Promise.all(
    wanted.map((at) =>
      at % 2 === 0
        ? read('select n, $1::int as id from generate_series(1, $2::int) n', at, at)
        : read('select $1::int as id, n from generate_series(1, $2::int) n', at, at),
    ),
  )
  for (const [at, rows] of found.entries())
    expect(rows).toEqual(Array.from({ length: at }, (_, n) => ({ id: at, n: n + 1 })))
})

test('parameters arrive unchanged, on the first run of a statement and on later runs', async () => {
  const { read } = reader(1)
  const at = new Date('2026-01-02T03:04:05.678Z')
  const bytes = Buffer.from([0, 255, 10])
  const sql = 'select $1::text a, $2::int b, $3::boolean c, $4::timestamptz d, $5::bytea e, $6::text f'
  for (const text of ["O'Neil ☂", '', 'ü'.repeat(100_000), 'x'])
    expect(await read(sql, text, -3, false, at, bytes, null)).toEqual([
      { a: text, b: -3, c: false, d: at, e: bytes, f: null },
    ])
  for (let round = 0; round < 2; round++) expect(await read('select 1 as one')).toEqual([{ one: 1 }])
  await expect(read('select $1::json as a', { an: 'object' })).rejects.toThrow(/no parameter of type object/)
})

test('a table that gets a column while it is read gives correct rows on every connection, never shifted columns', async () => {
  const { pool, read } = reader(3)
  const table = `reads_${Math.random().toString(36).slice(2)}`
  await pool.query(`create table ${table} (a text, b text)`)
  onTestFinished(async () => void (await pool.query(`drop table ${table}`)))
  await pool.query(`insert into ${table} values ('a', 'b')`)
  const sql = `select t.*, 'last' as last from ${table} t where a = $1`
  const readOften = () => Promise.all(Array.from({ length: 6 }, () => read(sql, 'a')))
  for (const rows of await readOften()) expect(rows).toEqual([{ a: 'a', b: 'b', last: 'last' }])
  await pool.query(`alter table ${table} add column c text default 'c'`)
  for (let round = 0; round < 2; round++)
    for (const rows of await readOften()) expect(rows).toEqual([{ a: 'a', b: 'b', c: 'c', last: 'last' }])
})

test('a failed read reports the reason and does not affect the next one', async () => {
  const { read } = reader(1)
  const divide = 'select 6 / $1::int as result'
  await expect(read(divide, 0)).rejects.toThrow(/division by zero/)
  expect(await read(divide, 2)).toEqual([{ result: 3 }])
  await expect(read(divide, 0)).rejects.toMatchObject({ code: '22012' })
  await expect(read('select missing')).rejects.toThrow(/column "missing" does not exist/)
  expect(await read(divide, 3)).toEqual([{ result: 2 }])
})

test('a row that cannot be parsed fails its query, not the process', async () => {
  const { read } = reader(1)
  const json = pg.types.getTypeParser(pg.types.builtins.JSON, 'text')
  pg.types.setTypeParser(pg.types.builtins.JSON, () => {
    throw new Error('unreadable')
  })
  onTestFinished(() => pg.types.setTypeParser(pg.types.builtins.JSON, json))
  await expect(read(`select '{}'::json as value`)).rejects.toThrow('unreadable')
  expect(await read('select 1 as one')).toEqual([{ one: 1 }])
})

test('if PostgreSQL closes a connection, its read fails and the next read uses another one', async () => {
  const { read } = reader(1)
  await expect(read('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(/terminat/i)
  expect(await read('select 1 as one')).toEqual([{ one: 1 }])
})

test('a query timeout in the database URL is respected', async () => {
  const url = new URL(inject('postgresUrl'))
  url.searchParams.set('query_timeout', '150')
  const pool = openPool(url.href, 1)
  onTestFinished(() => pool.end())
  const run = runCompiledOn(pool)
  await expect(run(CompiledQuery.raw('select pg_sleep(20)', []), asIs)).rejects.toThrow('Query read timeout')
  expect(await run(CompiledQuery.raw('select 1 as one', []), asIs)).toEqual([{ one: 1 }])
})

test('what each row becomes is made in turn, and a row of which nothing can be made fails its query, not the process', async () => {
  const { pool } = reader(1)
  const run = runCompiledOn(pool)
  type Row = { n: number }
  const query = CompiledQuery.raw('select n from generate_series(1, 5) n', [])
  for (let round = 0; round < 2; round++)
    expect(await run<Row, number>(query, ({ n }) => n * 2)).toEqual([2, 4, 6, 8, 10])
  const refuse = ({ n }: Row) => {
    if (n === 3) throw new Error('three')
  }
  await expect(run<Row, void>(query, refuse)).rejects.toThrow('three')
  expect(await run<Row, number>(query, ({ n }) => n)).toEqual([1, 2, 3, 4, 5])
})

test('after many texts, further ones get no name, and their rows are the same', async () => {
  const { pool, read } = reader(1)
  for (let at = 0; at < 500; at++) expect(await read(`select $1::int as n${at}`, at)).toEqual([{ [`n${at}`]: at }])
  for (let round = 0; round < 2; round++) expect(await read('select $1::int as a', round)).toEqual([{ a: round }])
  const { rows } = await pool.query('select count(*)::int as count from pg_prepared_statements')
  expect(rows[0].count).toBe(400)
})
