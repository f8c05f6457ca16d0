import type pg from 'pg'

/**
 * Names the statements of a pool, so that PostgreSQL parses and plans each text once per connection. Kysely sends the
 * text alone. The number of names is limited, because lists with many filters would fill the server's memory.
 */
const namedMax = 400

export function nameStatements(pool: pg.Pool): pg.Pool {
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= namedMax) return known
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const named = (text: unknown, values: unknown, ...rest: unknown[]) => {
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
      return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest)
    }
    Object.assign(client, { query: named })
  })
  return pool
}
