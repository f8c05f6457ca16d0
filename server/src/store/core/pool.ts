import pg from 'pg'
import { connectionOptions } from './connection-options.ts'

type PoolLimits = Pick<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout'>

/**
 * Opens connections to the store. The pool replaces a connection that the server dropped at the next use, and the next
 * query reports the error. Without an error listener, the dropped connection would end the process.
 */
export function openPool(url: string, max: number, limits: PoolLimits = {}): pg.Pool {
  const pool = new pg.Pool({ ...connectionOptions(url), max, connectionTimeoutMillis: 5_000, ...limits })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
