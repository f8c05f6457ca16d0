import type pg from 'pg'
import type { Base } from './base.ts'
import { type Described, ReadQuery, type Statement, type Value } from './read-query.ts'
import { isStalePlan, StatementNames } from './statement-names.ts'

/** Runs precompiled queries on the pool's connections. The number of texts is small: one for each precompiled query. */
export function runCompiledOn(pool: pg.Pool): Base['run'] {
  const names = new StatementNames('r')
  const described: Described = new WeakMap()
  const run = <Row>(statement: Statement, values: Value[]) =>
    new Promise<Row[]>((resolve, reject) => {
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
  return async <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => {
    const [name, values] = [names.nameOf(sql), parameters.map(toValue)]
    try {
      return await run<Row>({ name, text: sql }, values)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      names.renew(sql, name)
      return run<Row>({ name: names.nameOf(sql), text: sql }, values)
    }
  }
}

/** Converts a parameter to PostgreSQL's text format; bytes stay bytes. */
function toValue(value: unknown): Value {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`A compiled query takes no parameter of type ${typeof value}`)
}
