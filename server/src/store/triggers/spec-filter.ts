import { type RawBuilder, sql } from 'kysely'

/** Triggers by their triggerSpec: one of these types and, if `specFlag` is given, with this field set to true. */
export type SpecFilter = { specTypes: readonly string[]; specFlag?: string | undefined }

/** For a statement in which `t` is the table of triggers. */
export function hasSpec({ specTypes, specFlag }: SpecFilter): RawBuilder<unknown> {
  const isOfType = sql`t.definition->'triggerSpec'->>'type' = any(${[...specTypes]})`
  return specFlag === undefined ? isOfType : sql`${isOfType} and t.definition->'triggerSpec'->>${specFlag} = 'true'`
}
