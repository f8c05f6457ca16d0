import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { RunCompiled } from './base.ts'
import { type Described, type Reading, ReadQuery, type Statement, type Value } from './read-query.ts'
import { isStalePlan, StatementNames } from './statement-names.ts'

/** Runs compiled queries on the pool's connections. */
export function runCompiledOn(pool: pg.Pool): RunCompiled {
  const names = new StatementNames('r')
  const described: Described = new WeakMap()
  const run = (statement: Statement, reading: Reading) =>
    new Promise<unknown[]>((resolve, reject) => {
      pool.connect((connectError, client, release) => {
        if (!client) return reject(connectError)
        const done = (error: Error | undefined, items: unknown[]) => {
          // After an error the state of the connection is unknown, so the pool replaces it.
          release(error)
          if (error) reject(error)
          else resolve(items)
        }
        client.query(new ReadQuery(statement, reading, described, done))
      })
    })
  const runNamed = async (text: string, reading: Reading) => {
    const name = names.nameOf(text)
    try {
      return await run({ name, text }, reading)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      names.renew(text, name)
      return run({ name: names.nameOf(text), text }, reading)
    }
  }
  const runCompiled = async ({ sql: text, parameters }: CompiledQuery, itemOf: Reading['itemOf']) => {
    const reading = { values: parameters.map(toValue), itemOf }
    return names.canName(text) ? runNamed(text, reading) : run({ name: '', text }, reading)
  }
  // Kysely's types describe the rows of the text.
  return runCompiled as RunCompiled
}

/** Converts a parameter to PostgreSQL's text format; bytes stay bytes. */
function toValue(value: unknown): Value {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`A compiled query takes no parameter of type ${typeof value}`)
}
