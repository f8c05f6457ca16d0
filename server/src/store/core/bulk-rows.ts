import { type RawBuilder, sql } from 'kysely'

/** A control character: it stands in no JSON, no id and no number. */
const mark = '\x1e'

/**
 * Many texts as one parameter. An array's own form escapes every quote, and both sides then go through all of it letter
 * by letter; JSON is full of quotes.
 */
export function list(texts: readonly string[]): RawBuilder<string[]> {
  return sql<string[]>`string_to_array(${texts.length === 0 ? null : texts.join(mark)}, ${sql.lit(mark)})`
}

/** Constants of the code inside a statement, where the planner can see them. */
export function literals(texts: readonly string[]): RawBuilder<unknown> {
  return sql.join(texts.map((text) => sql.lit(text)))
}
