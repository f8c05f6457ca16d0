import type { Condition } from '@tocsin/contract'
import type { Comparison, Expression } from './expression.ts'

/**
 * A value by the name that an expression uses: its type, how JavaScript reads it, and its path for conditions if they can
 * read it.
 */
export type Variable = { kind: string; script: string; path?: string }
export type Variables = ReadonlyMap<string, Variable>

const integer = /^u?int\d*$/
const orders = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '==': 'eq', '!=': 'ne' } as const

/**
 * An expression as conditions of a trigger. Undefined if a part compares something else than a whole number, an address or
 * a boolean: conditions have other rules for texts and lists, so such an expression becomes JavaScript.
 */
export function conditionsOf(expression: Expression, variables: Variables): Condition | undefined {
  if (!('parts' in expression)) return comparisonOf(expression, variables)
  const parts = expression.parts.map((part) => conditionsOf(part, variables))
  const whole = parts.filter((part) => part !== undefined)
  if (whole.length < parts.length) return undefined
  if (expression.op === 'not') return { not: { all: whole } }
  return expression.op === 'and' ? { all: whole } : { any: whole }
}

function comparisonOf({ path, op, literal }: Comparison, variables: Variables): Condition | undefined {
  const variable = path.length === 1 ? variables.get(String(path[0])) : undefined
  if (variable?.path === undefined || !(op in orders)) return undefined
  const to = orders[op as keyof typeof orders]
  const isEquality = to === 'eq' || to === 'ne'
  const param = variable.path
  if (literal.type === 'boolean')
    return variable.kind === 'bool' && isEquality ? { param, op: to, value: literal.value } : undefined
  const { text } = literal
  if (integer.test(variable.kind) && /^-?\d+$/.test(text)) return { param, op: to, value: text }
  const isAddress = variable.kind === 'address' && /^0x[0-9a-f]{40}$/i.test(text)
  return isAddress && isEquality ? { param, op: to, value: text.toLowerCase() } : undefined
}
