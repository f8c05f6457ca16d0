import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Base } from './base.ts'
import type { Tables } from './tables.ts'

type Build<Args extends unknown[], Row> = (db: Kysely<Tables>, ...args: Args) => Compilable<Row>
type Kept<Row> = { query: CompiledQuery<Row>; places: number[] }

/**
 * A query of every request is built and compiled once; later calls only fill in its parameters. Marks stand for the
 * arguments while it is compiled, so that each one's places among the parameters are known.
 */
export function precompiled<Args extends unknown[], Row>(build: Build<Args, Row>) {
  let kept: Kept<Row> | undefined
  return ({ db, run }: Base, ...args: Args): Promise<Row[]> => {
    kept ??= compile(build, db, args.length)
    const { query, places } = kept
    const parameters = places.map((place, at) => (place < 0 ? query.parameters[at] : args[place]))
    return run({ ...query, parameters })
  }
}

function compile<Args extends unknown[], Row>(build: Build<Args, Row>, db: Kysely<Tables>, count: number): Kept<Row> {
  const marks = Array.from({ length: count }, (_, at) => `mark ${at}`)
  const query = build(db, ...(marks as unknown as Args)).compile() as CompiledQuery<Row>
  return { query, places: query.parameters.map((parameter) => marks.indexOf(String(parameter))) }
}
