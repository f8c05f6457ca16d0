import pg from 'pg'

/**
 * Opens connections to the store. The pool replaces a connection that the server dropped at the next use, and the next
 * query reports the error. Without an error listener, the dropped connection would end the process.
 */
export function openPool(url: string, connectionsMax: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: connectionsMax, connectionTimeoutMillis: 5_000 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
