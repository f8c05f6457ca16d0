import pg from 'pg'
import { connectionOptions } from './connection-options.ts'

const parseAny = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/**
 * The time that PostgreSQL wrote as text, such as `2026-11-17 09:30:00.123456+00`. It takes a third of the time that `pg`'s
 * parser takes, which still reads other zones and years before 1000 or after 9999. A page of a thousand alerts has two
 * thousand times.
 */
export function parseTime(text: string): unknown {
  const end = text.length - 3
  if (!isPlain(text)) return parseAny(text)
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  const [hour, minute, second] = [digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19)]
  const hundredMs = end > 20 ? digits(text, 20, 21) : 0
  const tenMs = end > 21 ? digits(text, 21, 22) : 0
  const ms = end > 22 ? digits(text, 22, 23) : 0
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, hundredMs * 100 + tenMs * 10 + ms))
}

/** The same time as `Date.toISOString` writes it, without making a date. */
export function isoText(text: string): string {
  if (!isPlain(text)) return new Date(Number(parseAny(text))).toISOString()
  const fraction = text.slice(20, text.length - 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

/** In UTC, and of a year with four digits. */
function isPlain(text: string): boolean {
  return text[0] !== '0' && text[4] === '-' && text.endsWith('+00')
}

function digits(text: string, begin: number, end: number): number {
  let number = 0
  for (let at = begin; at < end; at++) number = number * 10 + text.charCodeAt(at) - zero
  return number
}

const zero = '0'.charCodeAt(0)

pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTime)

/**
 * An idle connection is closed after this time. The loops of an idle service need a second connection now and then, and a
 * new one costs more than all their statements of ten seconds, which is `pg`'s default.
 */
export const idleTimeoutMillis = 60_000

type PoolLimits = Pick<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout'>

/**
 * Opens connections to the store. The pool replaces a connection that the server dropped at the next use, and the next
 * query reports the error. Without an error listener, the dropped connection would end the process.
 */
export function openPool(url: string, max: number, limits: PoolLimits = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max,
    idleTimeoutMillis,
    connectionTimeoutMillis: 5_000,
    ...limits,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
