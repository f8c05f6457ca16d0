import type { Condition } from '@tocsin/contract'
import { type Op, ops } from '../../../forms/condition-ops.ts'
import { isObject } from '../../../forms/json.ts'

/** One row of the editor. A list is comma-separated. */
export type Row = { param: string; op: Op; value: string }
export type Rows = { join: 'all' | 'any'; rows: Row[] }

const orderOps: Op[] = ['gt', 'gte', 'lt', 'lte']
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/i

/** The issue of a row's value. The service makes the same check. */
export function valueIssue({ op, value }: Row, kind: string | undefined): string | undefined {
  const isNumeric = orderOps.includes(op) && ['number', 'integer', 'balance'].includes(kind ?? '')
  if (!isNumeric || decimal.test(value.trim()) || value.includes('{{')) return undefined
  return 'Enter a number, such as 1000.'
}

/** Conditions as rows, or undefined if rows cannot express them. */
export function rowsOf(conditions: unknown): Rows | undefined {
  if (conditions === null || conditions === undefined) return { join: 'all', rows: [] }
  if (!isObject(conditions)) return undefined
  const keys = Object.keys(conditions)
  const join = keys.includes('any') ? 'any' : 'all'
  if (keys.includes(join) && keys.length > 1) return undefined
  const parts = conditions[join] ?? (keys.length === 0 ? [] : [conditions])
  // An empty `any` never matches, but no rows means that everything matches.
  if (!Array.isArray(parts) || (join === 'any' && parts.length === 0)) return undefined
  const rows = parts.map(rowOf)
  return rows.every((row) => row !== undefined) ? { join, rows } : undefined
}

function rowOf(part: unknown): Row | undefined {
  if (!isObject(part) || typeof part.param !== 'string') return undefined
  const op = ops.find(({ value }) => value === part.op)?.value
  if (op === undefined) return undefined
  const value = textOf(part.value)
  return value === undefined ? undefined : { param: part.param, op, value }
}

/**
 * A list as comma-separated text; undefined if the text would not parse back to the same value, as for an address list or
 * an amount in human units.
 */
function textOf(value: unknown): string | undefined {
  if (isObject(value)) return undefined
  if (!Array.isArray(value)) return value === null || value === undefined ? undefined : String(value)
  const isPlain = value.every((one) => one !== null && typeof one !== 'boolean' && !/[,\n]/.test(String(one)))
  return isPlain ? value.join(', ') : undefined
}

/** The conditions of the rows; null if there are none. */
export function conditionsOf({ join, rows }: Rows, typeOf: (param: string) => string | undefined): Condition | null {
  const parts = rows.filter(({ param }) => param !== '').map((row) => comparisonOf(row, typeOf(row.param)))
  if (parts.length === 0) return null
  return join === 'all' ? { all: parts } : { any: parts }
}

function comparisonOf({ param, op, value }: Row, type: string | undefined): Condition {
  switch (op) {
    case 'in':
    case 'nin':
      return { param, op, value: /^\{\{.*\}\}$/.test(value) ? value : splitList(value) }
    case 'eq':
    case 'ne':
      return { param, op, value: type === 'boolean' ? value === 'true' : value }
    default:
      return { param, op, value }
  }
}

function splitList(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
