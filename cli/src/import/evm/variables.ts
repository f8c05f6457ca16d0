import { isRecord } from '../../folder/paths.ts'
import type { Variable, Variables } from './conditions.ts'

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
