import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openPool } from './pool.ts'
import { nameStatements } from './statements.ts'
import type { Tables } from './tables.ts'
import { runInTransaction } from './transaction.ts'

let table: string
let db: Kysely<Tables>

beforeEach(async () => {
  table = `named_${Math.random().toString(36).slice(2)}`
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: nameStatements(openPool(inject('postgresUrl'), 3)) }),
  })
  await sql.raw(`create table ${table} (a text)`).execute(db)
})
afterEach(async () => {
  await sql.raw(`drop table ${table}`).execute(db)
  await db.destroy()
})

const insert = async (on: Kysely<Tables>, a: string) =>
  (await sql`insert into ${sql.raw(table)} (a) values (${a}) returning *`.execute(on)).rows
const countRows = async () => (await sql`select a from ${sql.raw(table)}`.execute(db)).rows.length
const addColumn = (name: string) =>
  sql.raw(`alter table ${table} add column ${name} text default '${name}'`).execute(db)
const atOnce = <T>(work: () => Promise<T>) => Promise.all([work(), work(), work()])

test('a write whose table got a column succeeds on every connection and happens once', async () => {
  await atOnce(() => insert(db, 'before'))
  await addColumn('b')
  expect(await atOnce(() => insert(db, 'x'))).toEqual(Array(3).fill([{ a: 'x', b: 'b' }]))
  await addColumn('c')
  expect(await atOnce(() => insert(db, 'y'))).toEqual(Array(3).fill([{ a: 'y', b: 'b', c: 'c' }]))
  expect(await countRows()).toBe(9)
})

test('a transaction whose table got a column is repeated and happens once', async () => {
  let attempts = 0
  const insertTwo = () =>
    runInTransaction(db, async (trx) => {
      attempts++
      await insert(trx, 'first')
      return insert(trx, 'second')
    })
  await insertTwo()
  await addColumn('b')
  expect(await insertTwo()).toEqual([{ a: 'second', b: 'b' }])
  expect({ attempts, rows: await countRows() }).toEqual({ attempts: 3, rows: 4 })
})

test('other errors of a named statement are not repeated', async () => {
  const divide = (by: number) => sql`select 6 / ${by}::int as result`.execute(db)
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect((await divide(2)).rows).toEqual([{ result: 3 }])
})
