import pg from 'pg'
import { connectionOptions } from './connection-options.ts'
import { parseTime } from './parse-time.ts'

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
