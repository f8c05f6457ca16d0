import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { isoText, openPool, parseTime } from './pool.ts'

test.each([
  ['2026-11-17 09:30:00+00', '2026-11-17T09:30:00.000Z'],
  ['2026-11-17 09:30:00.1+00', '2026-11-17T09:30:00.100Z'],
  ['2026-11-17 09:30:00.12+00', '2026-11-17T09:30:00.120Z'],
  ['2026-11-17 09:30:00.123999+00', '2026-11-17T09:30:00.123Z'],
  ['2026-11-17 09:30:00.123+05:45', '2026-11-17T03:45:00.123Z'],
  ['2026-11-17 09:30:00-08', '2026-11-17T17:30:00.000Z'],
  ['0099-12-31 23:59:59+00', '0099-12-31T23:59:59.000Z'],
  ['12026-01-01 00:00:00+00', '+012026-01-01T00:00:00.000Z'],
  ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
])('the time %s of PostgreSQL is %s', (text, iso) => {
  expect(parseTime(text)).toEqual(new Date(iso))
  expect(isoText(text)).toBe(iso)
})

test('times without an end are read as numbers', () => {
  expect(parseTime('infinity')).toBe(Number.POSITIVE_INFINITY)
  expect(parseTime('-infinity')).toBe(Number.NEGATIVE_INFINITY)
})

test('connections read times by it, whatever the zone of the session is', async () => {
  const pool = openPool(inject('postgresUrl'), 1)
  const at = '2026-11-17T09:30:00.123Z'
  for (const zone of ['UTC', 'Asia/Kathmandu']) {
    await pool.query(`set timezone = '${zone}'`)
    const { rows } = await pool.query<{ at: Date }>('select $1::timestamptz as at', [at])
    expect(rows[0]?.at.toISOString()).toBe(at)
  }
  expect(pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)).toBe(parseTime)
  await pool.end()
})
