import type pg from 'pg'
import type { Base } from './base.ts'
import { type Described, ReadQuery, type Statement, type Value } from './read-query.ts'

/** Runs the queries of every request on the pool's connections. Their texts are few: one for each that is compiled once. */
export function runCompiledOn(pool: pg.Pool): Base['run'] {
  const statements = new Map<string, Statement>()
  const described: Described = new WeakMap()
  const statementOf = (text: string) => {
    const statement = statements.get(text) ?? { name: `r${statements.size}`, text }
    statements.set(text, statement)
    return statement
  }
  return <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
    new Promise<Row[]>((resolve, reject) => {
      const [statement, values] = [statementOf(sql), parameters.map(toValue)]
      pool.connect((noClient, client, release) => {
        if (!client) return reject(noClient)
        const done = (error: Error | undefined, rows: unknown[]) => {
          // After an error nobody knows how far the statement got on this connection, so the pool makes another.
          release(error)
          if (error) reject(error)
          // Kysely's types say what the text answers.
          else resolve(rows as Row[])
        }
        client.query(new ReadQuery(statement, values, described, done))
      })
    })
}

/** As PostgreSQL reads it: text, but bytes as they are. */
function toValue(value: unknown): Value {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`A compiled query takes no parameter such as ${typeof value}`)
}
