import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Base } from './base.ts'
import type { Tables } from './tables.ts'

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
