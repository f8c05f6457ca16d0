import type { Issue } from '@tocsin/contract'
import { type FieldKind, fieldsOf } from '../value-form/read-fields.ts'
import type { ConditionPart } from './condition-groups.ts'
import { convertValue, valueFormOf } from './condition-values.ts'
import type { ItemToken } from './token-note.ts'

/** A field that a condition can name. */
export type ConditionName = {
  name: string
  kind?: FieldKind | undefined
  choices?: string[] | undefined
  addressType?: string | undefined
  /** Set for an amount that is compared in whole units. */
  decimals?: number | 'token' | undefined
  /** A new row starts with the first field if it is offered. */
  isOffered?: boolean
}

/** The fields that the filters of a trigger name. */
export function filterNames(filtersSchema: Record<string, unknown> | undefined): ConditionName[] {
  return fieldsOf(filtersSchema ?? {}).map(({ name, kind, choices, addressType, decimals }) => {
    return { name, kind, choices, addressType, decimals, isOffered: true }
  })
}

/** What a sample gave for one comparison. `held` is null if it could not be checked yet. */
export type RowResult = { path: string; held: boolean | null; value: unknown; issue?: string | undefined }

/** What all rows of one editor share. */
export type ConditionForm = {
  /** What the page calls a condition. */
  noun: string
  fields: ConditionName[]
  placeholder: string
  /** The conditions of a trigger can read the decimals of a token. */
  hasTokens: boolean
  /** The token of the items, if the rows need it. */
  token?: ItemToken | undefined
  issues: Issue[]
  /** The results of the sample; absent if the page has no sample. */
  results?: readonly RowResult[] | undefined
}

/** A row that compares with text becomes one of true and false if the field is a boolean. */
export function withParam(condition: ConditionPart, param: string, fields: ConditionName[]): ConditionPart {
  const isBoolean = fields.find(({ name }) => name === param)?.kind === 'boolean'
  const isText = valueFormOf(condition.value) === 'plain' && (condition.op === 'eq' || condition.op === 'ne')
  return { ...condition, param, ...(isBoolean && isText && { value: convertValue(condition.value, 'boolean') }) }
}

/** A new row. */
export function blankRow(fields: ConditionName[]): ConditionPart {
  const [first] = fields
  return withParam({ param: '', op: 'eq', value: '' }, first?.isOffered ? first.name : '', fields)
}

/** The first issue at a path; for a row also those of its param and value. */
export function issueOf(issues: Issue[], path: string, isExact: boolean): string | undefined {
  return issues.find((issue) => issue.path === path || (!isExact && issue.path.startsWith(`${path}.`)))?.message
}
