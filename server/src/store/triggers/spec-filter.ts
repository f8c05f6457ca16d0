import { type RawBuilder, sql } from 'kysely'

/** Triggers by their triggerSpec: one of these types and, if `specFlag` is given, with this value of this field. */
export type SpecFilter = {
  specTypes: readonly string[]
  specFlag?: readonly [field: string, value: string] | undefined
}

/** For a statement in which `t` is the table of triggers. */
export function hasSpec({ specTypes, specFlag }: SpecFilter): RawBuilder<unknown> {
  const isOfType = sql`t.definition->'triggerSpec'->>'type' = any(${[...specTypes]})`
  if (specFlag === undefined) return isOfType
  const [field, value] = specFlag
  return sql`${isOfType} and t.definition->'triggerSpec'->>${field} = ${value}`
}
