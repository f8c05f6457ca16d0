import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type pg from 'pg'
import type { Base } from './base.ts'
import type { Tables } from './tables.ts'

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
  const names = new StatementNames()
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

const namesMax = 400

/**
 * The names of the prepared statements of a pool. When a table gets a column, PostgreSQL refuses every statement that returns
 * all columns and was prepared before, as long as its connection lasts. After the first such refusal all texts get new names,
 * so every connection prepares them again. The old plans stay in memory until their connection is closed.
 */
class StatementNames {
  readonly #indexes = new Map<string, number>()
  #generation = 0

  /** False if there are enough names: each costs PostgreSQL memory, and lists have many combinations of filters. */
  canName(text: string): boolean {
    return this.#indexes.has(text) || this.#indexes.size < namesMax
  }

  nameOf(text: string): string {
    const index = this.#indexes.get(text) ?? this.#indexes.size
    this.#indexes.set(text, index)
    return `s${this.#generation}_${index}`
  }

  /** `refused` is the name that the text had. Several refusals at once change the names once. */
  renew(text: string, refused: string): void {
    if (this.nameOf(text) === refused) this.#generation++
  }
}

/**
 * True if PostgreSQL refused a prepared statement because its columns have changed. It refuses before it runs the statement, so
 * a repeat is safe. The message is translated if the server speaks another language; the routine is the same.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

type Build<Args extends unknown[], Row> = (db: Kysely<Tables>, ...args: Args) => Compilable<Row>
type Compiled<Row> = { query: CompiledQuery<Row>; argumentIndexes: number[] }

/**
 * Builds and compiles a frequent query once; later calls only fill in the parameters. The query is compiled with
 * placeholders for the arguments, which shows where each argument is among the parameters.
 */
export function precompiled<Args extends unknown[], Row>(build: Build<Args, Row>) {
  let compiled: Compiled<Row> | undefined
  return async ({ db }: Pick<Base, 'db'>, ...args: Args): Promise<Row[]> => {
    compiled ??= compile(build, db, args.length)
    const { query, argumentIndexes } = compiled
    const parameters = argumentIndexes.map((index, at) => (index < 0 ? query.parameters[at] : args[index]))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}

function compile<Args extends unknown[], Row>(
  build: Build<Args, Row>,
  db: Kysely<Tables>,
  count: number,
): Compiled<Row> {
  const placeholders: unknown[] = Array.from({ length: count }, (_, at) => `placeholder ${at}`)
  const query = build(db, ...(placeholders as Args)).compile() as CompiledQuery<Row>
  return { query, argumentIndexes: query.parameters.map((parameter) => placeholders.indexOf(String(parameter))) }
}
