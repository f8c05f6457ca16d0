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

/** Constants of the code as literals in a statement, where the planner can see them. */
export function literals(texts: readonly string[]): RawBuilder<unknown> {
  return sql.join(texts.map((text) => sql.lit(text)))
}
