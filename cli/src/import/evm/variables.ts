import type { Condition } from '@tocsin/contract'
import { isRecord } from '../../folder/paths.ts'
import type { Comparison, Expression } from './expression.ts'

/** The values that expressions on arguments name: the inputs of an event or a function. */
export function argumentVariables(fragment: Record<string, unknown>): Variables {
  const inputs = Array.isArray(fragment.inputs) ? fragment.inputs.filter(isRecord) : []
  return new Map(
    inputs.map((input) => {
      const name = String(input.name ?? '')
      const path = /^\w+$/.test(name) ? { path: `source.params.${name}` } : {}
      return [name, { kind: String(input.type), script: `source.params[${JSON.stringify(name)}]`, ...path }]
    }),
  )
}

const number = (script: string): Variable => ({ kind: 'uint256', script })
const plain = (kind: string, path: string): Variable => ({ kind, script: path, path })

/** The fields of a transaction, read from an item of `evm_transaction`. */
export const transactionVariables: Variables = new Map([
  ['value', plain('uint256', 'source.value')],
  ['from', plain('address', 'source.from')],
  ['to', plain('address', 'source.to')],
  ['hash', { kind: 'string', script: 'source.hash' }],
  ['gas_price', number('(source.gasPrice ?? 0)')],
  ['max_fee_per_gas', number('(source.maxFeePerGas ?? 0)')],
  ['max_priority_fee_per_gas', number('(source.maxPriorityFeePerGas ?? 0)')],
  ['gas_limit', plain('uint256', 'source.gasLimit')],
  ['nonce', plain('uint256', 'source.nonce')],
  ['input', { kind: 'string', script: 'source.input' }],
  ['gas_used', number('source.receipt.gasUsed')],
  ['transaction_index', plain('uint64', 'source.index')],
])

/** The same fields of the transaction around a log or a call, read by providers. */
export const surroundingVariables: Variables = new Map([
  ['value', number('providers.transaction.value')],
  ['from', { kind: 'address', script: 'providers.transaction.from' }],
  ['to', { kind: 'address', script: '(providers.transaction.to ?? "")' }],
  ['hash', { kind: 'string', script: 'source.transactionHash' }],
  ['gas_price', number('(providers.transaction.gasPrice ?? 0)')],
  ['max_fee_per_gas', number('(providers.transaction.maxFeePerGas ?? 0)')],
  ['max_priority_fee_per_gas', number('(providers.transaction.maxPriorityFeePerGas ?? 0)')],
  ['gas_limit', number('providers.transaction.gas')],
  ['nonce', number('providers.transaction.nonce')],
  ['input', { kind: 'string', script: 'providers.transaction.input' }],
  ['gas_used', number('providers.receipt.gasUsed')],
  ['transaction_index', number('source.transactionIndex')],
])

const reads = {
  transaction: 'eth_getTransactionByHash',
  receipt: 'eth_getTransactionReceipt',
} as const

/** The providers that the texts of a trigger name. */
export function providersFor(...texts: string[]): Record<string, unknown>[] {
  const whole = texts.join('\n')
  return Object.entries(reads)
    .filter(([id]) => whole.includes(`providers.${id}.`))
    .map(([id, method]) => ({ id, type: 'rpc', transport: 'source', method, params: ['{{source.transactionHash}}'] }))
}

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
