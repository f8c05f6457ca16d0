import type pg from 'pg'
import type { Base } from './base.ts'
import { type Described, ReadQuery, type Statement, type Value } from './read-query.ts'

/** Runs precompiled queries on the pool's connections. The number of texts is small: one for each precompiled query. */
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
      pool.connect((connectError, client, release) => {
        if (!client) return reject(connectError)
        const done = (error: Error | undefined, rows: unknown[]) => {
          // After an error the state of the connection is unknown, so the pool replaces it.
          release(error)
          if (error) reject(error)
          // Kysely's types describe the rows of this text.
          else resolve(rows as Row[])
        }
        client.query(new ReadQuery(statement, values, described, done))
      })
    })
}

/** Converts a parameter to PostgreSQL's text format; bytes stay bytes. */
function toValue(value: unknown): Value {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`A compiled query takes no parameter of type ${typeof value}`)
}
