import { isRecord } from '../../folder/paths.ts'
import { Impossible } from '../importer.ts'

export type Fields = Record<string, unknown>

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

export function requireText(fields: Fields, name: string): string {
  const text = textOf(fields[name])
  if (text === undefined) throw new Impossible(`it has no ${name}`)
  return text
}

export function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

export function addressesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map((each) => String(each).toLowerCase()) : []
}

const operators = new Set(['>', '>=', '<', '<=', '==', '!=', 'contains', 'notContains'])

/** A condition on a parameter in the language of `evm/expression.ts`. All conditions of the list must hold. */
export function expressionOf(conditions: readonly Fields[]): string | undefined {
  if (conditions.length === 0) return undefined
  return conditions.map((each) => `(${conditionText(each)})`).join(' AND ')
}

function conditionText(condition: Fields): string {
  const operator = operatorOf(condition)
  const text = `${requireText(condition, 'parameter_name')} ${operator === 'notContains' ? 'contains' : operator} ${literal(condition)}`
  return operator === 'notContains' ? `NOT (${text})` : text
}

export function operatorOf(condition: Fields, fallback = '=='): string {
  const operator = String(condition.operator ?? fallback)
  if (!operators.has(operator)) throw new Impossible(`its operator ${operator} is not known`)
  return operator
}

function literal({ comparison_value: value, parameter_type: type }: Fields): string {
  if (typeof value === 'boolean' || type === 'bool') return String(value)
  return `'${String(value).replaceAll(/(['\\])/g, '\\$1')}'`
}
