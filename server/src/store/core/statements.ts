import type pg from 'pg'
import { isStalePlan, StatementNames } from './statement-names.ts'

/**
 * A statement that begins with this comment gets no name. PostgreSQL then plans it for its values and for the present size
 * of the tables in every call.
 */
export const plannedAnew = '/* planned anew */'

type Query = (...args: unknown[]) => Promise<unknown>

/**
 * Names the statements of a pool, so that PostgreSQL parses and plans each text once per connection. Kysely sends the
 * text alone.
 */
export function nameStatements(pool: pg.Pool): pg.Pool {
  const names = new StatementNames('s')
  const isNamed = (text: string) => !text.startsWith(plannedAnew) && names.canName(text)
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query
    const runNamed = async (text: string, values: unknown[]) => {
      const name = names.nameOf(text)
      try {
        return await query({ name, text, values })
      } catch (error) {
        if (!isStalePlan(error)) throw error
        names.renew(text, name)
        // The refusal has aborted the transaction, so `runInTransaction` repeats all of it.
        if (client.getTransactionStatus() !== 'I') throw error
        return query({ name: names.nameOf(text), text, values })
      }
    }
    const named = (text: unknown, values: unknown, ...rest: unknown[]) =>
      typeof text === 'string' && Array.isArray(values) && rest.length === 0 && isNamed(text)
        ? runNamed(text, values)
        : query(text, values, ...rest)
    Object.assign(client, { query: named })
  })
  return pool
}
