import { type RawBuilder, sql } from 'kysely'

/** A control character that occurs in no JSON, id or number. */
const separator = '\x1e'

/**
 * Passes many texts as one parameter. PostgreSQL's array format escapes every quote, and both sides then parse it
 * character by character, which is slow for JSON.
 */
export function textArray(texts: readonly string[]): RawBuilder<string[]> {
  return sql<string[]>`string_to_array(${texts.length === 0 ? null : texts.join(separator)}, ${sql.lit(separator)})`
}

/** `pg` writes an array number by number. */
export function integerArray(numbers: readonly number[]): RawBuilder<number[]> {
  return sql<number[]>`string_to_array(${numbers.join()}, ',')::integer[]`
}

/** Most rows have no such text. `unnest` fills up with nulls what a missing array does not have. */
export function nullableTextArray(texts: readonly (string | null)[]): RawBuilder<(string | null)[]> {
  return sql`${texts.every((text) => text === null) ? null : texts}::text[]`
}

/** Constants of the code as literals in a statement, where the planner can see them. */
export function literals(texts: readonly string[]): RawBuilder<unknown> {
  return sql.join(texts.map((text) => sql.lit(text)))
}
