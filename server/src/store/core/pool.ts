import pg from 'pg'

/**
 * Connections to the store. One that the server drops, idle or on its way out, is replaced on next use: the error is
 * the next query's to tell, and without a listener it would end the process.
 */
export function openPool(url: string, connectionsMax: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: connectionsMax, connectionTimeoutMillis: 5_000 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
