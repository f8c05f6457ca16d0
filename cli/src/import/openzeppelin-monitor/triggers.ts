import type { TransactionMatch } from './files.ts'
import { type Alternative, type Filter, filterOf } from './filter.ts'
import { type AbiGroup, signatureOf } from './signatures.ts'
import { argumentVariables, surroundingVariables, transactionVariables } from './variables.ts'

/** The part of a trigger that depends on what it matches. */
export type TriggerParts = Filter & { spec: Record<string, unknown>; rawSource: string }

type Context = { monitor: string; transactions: readonly TransactionMatch[]; needsTransaction: boolean }

/** Only a successful transaction has events. */
export function eventTrigger({ contracts, found }: AbiGroup, context: Context): TriggerParts {
  const spec = { type: 'evm_log', contract: one(contracts), abiFragment: found.map(({ fragment }) => fragment) }
  return {
    spec,
    rawSource: rawSource(context, 'events', 'source.event', found),
    ...filterOf(alternativesOf(found, 'source.event'), context.transactions, { variables: surroundingVariables }),
  }
}

export function callTrigger({ contracts, found }: AbiGroup, context: Context): TriggerParts {
  const [first] = found
  const isOne = found.length === 1 && first
  const spec = {
    type: 'evm_call',
    contract: one(contracts),
    ...(isOne && { method: signatureOf(first.fragment) }),
    abiFragment: found.map(({ fragment }) => fragment),
    success: 'any',
  }
  const around = { variables: surroundingVariables, succeeded: 'source.success' }
  return {
    spec,
    rawSource: rawSource(context, 'functions', 'source.method', found),
    ...filterOf(alternativesOf(found, 'source.method'), context.transactions, around),
  }
}

/** Transactions from or to one of the addresses. */
export function transactionTrigger(addresses: readonly string[], { monitor, transactions }: Context): TriggerParts {
  const around = { variables: transactionVariables, succeeded: 'source.status === 1' }
  const list = addresses.map((address) => address.toLowerCase())
  const concerns = { any: ['source.from', 'source.to'].map((param) => ({ param, op: 'in' as const, value: list })) }
  const filter = filterOf([{ variables: new Map() }], transactions, around)
  return {
    spec: { type: 'evm_transaction' },
    rawSource: `({ monitor: { name: ${JSON.stringify(monitor)} }, transactionHash: source.hash, transaction: source, events: [], functions: [] })`,
    ...filter,
    conditions: filter.conditions ? { all: [concerns, filter.conditions] } : concerns,
  }
}

/** With several items in one trigger, each alternative first asks which of them it has. */
function alternativesOf(found: AbiGroup['found'], name: string): Alternative[] {
  return found.map(({ match, fragment }) => ({
    ...(found.length > 1 && { guard: `${name} === ${JSON.stringify(fragment.name)}` }),
    expression: match.expression,
    variables: argumentVariables(fragment),
  }))
}

/** The output has the form that the messages of the monitor read. */
function rawSource(
  { monitor, needsTransaction }: Context,
  list: string,
  name: string,
  found: AbiGroup['found'],
): string {
  const signatures = Object.fromEntries(found.map(({ fragment }) => [fragment.name, signatureOf(fragment)]))
  const own = `[{ signature: (${JSON.stringify(signatures)})[${name}], args: source.params }]`
  const fields = needsTransaction
    ? ', from: providers.transaction.from, to: providers.transaction.to, value: BigInt(providers.transaction.value)'
    : ''
  const transaction = `{ hash: source.transactionHash${fields} }`
  const lists = list === 'events' ? `events: ${own}, functions: []` : `events: [], functions: ${own}`
  return `({ monitor: { name: ${JSON.stringify(monitor)} }, transactionHash: source.transactionHash, transaction: ${transaction}, ${lists} })`
}

function one(contracts: readonly string[]): string | readonly string[] {
  return contracts.length === 1 && contracts[0] !== undefined ? contracts[0] : contracts
}
