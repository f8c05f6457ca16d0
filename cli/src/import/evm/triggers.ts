import { type Alternative, type Filter, filterOf } from './filter.ts'
import { type AbiGroup, signatureOf, type TransactionMatch } from './signatures.ts'
import { argumentVariables, providersFor, type Variables } from './variables.ts'

/** The part of a trigger that depends on what it matches. */
export type TriggerParts = Filter & { spec: Record<string, unknown>; rawSource: string }

/** An item that matched. `signature` is JavaScript that gives the signature of its event or function. */
export type MatchedItem = { kind: 'event' | 'function'; signature: string } | { kind: 'transaction' }

/** How a tool names the fields of a transaction, and the output that its messages read, as JavaScript. */
export type Dialect = { transaction: Variables; surrounding: Variables; raw(item: MatchedItem): string }

type Context = { transactions: readonly TransactionMatch[]; dialect: Dialect }

/** Only a successful transaction has events. */
export function eventTrigger({ contracts, found }: AbiGroup, context: Context): TriggerParts {
  const spec = { type: 'evm_log', contract: one(contracts), abiFragment: found.map(({ fragment }) => fragment) }
  return {
    spec,
    rawSource: rawSource(context, 'event', 'source.event', found),
    ...filterOf(alternativesOf(found, 'source.event'), context.transactions, {
      variables: context.dialect.surrounding,
    }),
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
  const around = { variables: context.dialect.surrounding, succeeded: 'source.success' }
  return {
    spec,
    rawSource: rawSource(context, 'function', 'source.method', found),
    ...filterOf(alternativesOf(found, 'source.method'), context.transactions, around),
  }
}

/** Transactions from or to one of the addresses. */
export function transactionTrigger(addresses: readonly string[], { transactions, dialect }: Context): TriggerParts {
  const around = { variables: dialect.transaction, succeeded: 'source.status === 1' }
  const list = addresses.map((address) => address.toLowerCase())
  const concerns = { any: ['source.from', 'source.to'].map((param) => ({ param, op: 'in' as const, value: list })) }
  const filter = filterOf([{ variables: new Map() }], transactions, around)
  return {
    spec: { type: 'evm_transaction' },
    rawSource: dialect.raw({ kind: 'transaction' }),
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

function rawSource({ dialect }: Context, kind: 'event' | 'function', name: string, found: AbiGroup['found']): string {
  const signatures = Object.fromEntries(found.map(({ fragment }) => [fragment.name, signatureOf(fragment)]))
  return dialect.raw({ kind, signature: `(${JSON.stringify(signatures)})[${name}]` })
}

function one(contracts: readonly string[]): string | readonly string[] {
  return contracts.length === 1 && contracts[0] !== undefined ? contracts[0] : contracts
}

/** The fields of a trigger that its parts decide. With several sources the trigger is bound to each. */
export function definitionOf({ spec, rawSource, conditions, activation }: TriggerParts, sources: readonly string[]) {
  const bindings = sources.map((dataSource) => ({ id: dataSource.split('.').at(-1), dataSource }))
  return {
    inputs: {},
    triggerSpec: { ...spec, dataSource: sources[0] },
    ...(sources.length > 1 && { sourceBindings: bindings }),
    providers: providersFor(rawSource, activation ?? ''),
    ...(conditions && { conditions }),
    ...(activation !== undefined && { activation: { language: 'javascript', source: activation } }),
    transform: { language: 'javascript', rawSource },
  }
}
