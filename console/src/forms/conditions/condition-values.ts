import type { Op } from '../condition-ops.ts'
import { isObject } from '../json.ts'
import type { FieldKind } from '../value-form/read-fields.ts'

/** The forms of a condition's value. */
export type ValueForm = 'plain' | 'boolean' | 'null' | 'tokens' | 'units' | 'token' | 'values' | 'list' | 'path'
/** Amounts in units that many people know by name. A value of such a form is one in units. */
export const namedUnits = { gwei: 9, ether: 18 } as const
export type NewValueForm = ValueForm | keyof typeof namedUnits

export const valueForms: Record<NewValueForm, string> = {
  plain: 'Value',
  path: 'Another field',
  gwei: 'Amount in gwei',
  ether: 'Amount in ether',
  boolean: 'True or false',
  null: 'Empty',
  tokens: 'Amount in whole tokens',
  units: 'Amount in units',
  token: 'Amount of a token',
  values: 'Values',
  list: 'Address list',
}

export function valueFormOf(value: unknown): ValueForm {
  if (typeof value === 'boolean') return 'boolean'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'values'
  if (!isObject(value)) return 'plain'
  if ('list' in value) return 'list'
  if ('path' in value) return 'path'
  if ('token' in value) return 'token'
  return 'decimals' in value ? 'units' : 'tokens'
}

/** The forms that an operator accepts, the usual one first. Only the conditions of a trigger can read a token. */
export function formsFor(op: Op, hasTokens: boolean): NewValueForm[] {
  const units: NewValueForm[] = ['path', 'tokens', 'units', 'gwei', 'ether']
  const amounts: NewValueForm[] = hasTokens ? [...units, 'token'] : units
  switch (op) {
    case 'eq':
    case 'ne':
      return ['plain', 'boolean', 'null', ...amounts]
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ['plain', ...amounts]
    case 'in':
    case 'nin':
      return ['values', 'list', 'plain']
    case 'startsWith':
    case 'matches':
      return ['plain']
  }
}

/** A value in another form. It keeps the text or the number that the user has typed. `decimals` are those of a new amount. */
export function convertValue(value: unknown, form: NewValueForm, decimals = 0): unknown {
  if (valueFormOf(value) === form) return value
  const text = textOf(value)
  switch (form) {
    case 'plain':
      return text
    case 'boolean':
      return text !== 'false'
    case 'null':
      return null
    case 'tokens':
      return { amount: text }
    case 'units':
      return { amount: text, decimals }
    case 'gwei':
    case 'ether':
      return { amount: text, decimals: namedUnits[form] }
    case 'path':
      return { path: text }
    case 'token':
      return { amount: text, token: '{{source.address}}' }
    case 'values':
      return text === '' ? [] : [text]
    case 'list':
      return { list: '' }
  }
}

/** The value for another operator. It changes only if the operator does not accept its form. */
export function valueFor(op: Op, value: unknown, hasTokens: boolean): unknown {
  const forms = formsFor(op, hasTokens)
  const [usual = 'plain'] = forms
  const form: NewValueForm = valueFormOf(value)
  // A placeholder stands for a whole list; any other text is one value of a list.
  const isOneOfList = usual === 'values' && form === 'plain' && !/^\{\{.*\}\}$/.test(textOf(value))
  return forms.includes(form) && !isOneOfList ? value : convertValue(value, usual)
}

/** The text of a value, for an input. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (isObject(value)) return textOf('path' in value ? value.path : value.amount)
  return value === null || value === undefined ? '' : String(value)
}

/** The typed values. A value that was there before keeps its type, such as the number 5. */
export function valuesFrom(texts: string[], before: unknown): unknown[] {
  const known: unknown[] = Array.isArray(before) ? before : []
  return texts.map((text) => {
    const same = known.find((value) => String(value) === text)
    return same === undefined ? text : same
  })
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/i
const orderOps: readonly unknown[] = ['gt', 'gte', 'lt', 'lte']

/** The issue of a value that is compared as a number. The service makes the same check. */
export function valueIssue(op: unknown, value: unknown, kind: FieldKind | undefined): string | undefined {
  const isNumeric = orderOps.includes(op) && ['number', 'integer', 'balance'].includes(kind ?? '')
  if (!isNumeric || valueFormOf(value) !== 'plain') return undefined
  const text = textOf(value).trim()
  return decimal.test(text) || text.includes('{{') ? undefined : 'Enter a number, such as 1000.'
}
