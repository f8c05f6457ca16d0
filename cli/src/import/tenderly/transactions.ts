import type { Condition } from '@tocsin/contract'
import type { TransactionMatch } from '../evm/signatures.ts'
import type { TriggerParts } from '../evm/triggers.ts'
import { Impossible } from '../importer.ts'
import type { Facts } from './facts.ts'

const comparisons: Record<string, 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'ne'> = {
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '==': 'eq',
  '!=': 'ne',
}

/** A trigger for the transactions of an alert without any other expression. */
export function transactionParts(facts: Facts, raw: (hash: string) => string, differences: string[]): TriggerParts {
  const { target } = facts
  if (target?.role === 'internal')
    return internalParts(facts, target.address, raw('source.transactionHash'), differences)
  if (target && target.role === undefined)
    differences.push('a transaction in which only another contract calls the address is not matched')
  return { spec: { type: 'evm_transaction' }, rawSource: raw('source.hash'), conditions: { all: conditionsOf(facts) } }
}

const sidesOfRoles: Record<string, string[]> = { direct: ['source.to'], source: ['source.from'] }

function conditionsOf({ target, succeeded, from, notTo, values }: Facts): Condition[] {
  const sides = sidesOfRoles[target?.role ?? ''] ?? ['source.from', 'source.to']
  const concerns = sides.map((param): Condition => ({ param, op: 'eq', value: target?.address ?? '' }))
  return [
    ...(target ? [concerns.length === 1 && concerns[0] ? concerns[0] : { any: concerns }] : []),
    ...(succeeded === undefined ? [] : [{ param: 'source.status', op: 'eq' as const, value: succeeded ? 1 : 0 }]),
    ...from.in.map((value): Condition => ({ param: 'source.from', op: 'in', value })),
    ...from.notIn.map((value): Condition => ({ param: 'source.from', op: 'nin', value })),
    ...(notTo.length > 0 ? [{ param: 'source.to', op: 'nin' as const, value: notTo }] : []),
    ...values.map(({ operator, value }): Condition => {
      const op = comparisons[operator]
      if (!op) throw new Impossible(`a value cannot be compared by ${operator}`)
      return { param: 'source.value', op, value }
    }),
  ]
}

/** A call of the address by another contract. */
function internalParts(facts: Facts, address: string, rawSource: string, differences: string[]): TriggerParts {
  if (asksMore(facts)) throw new Impossible('internal calls cannot be combined with the sender, value or status')
  differences.push('its source needs a node with traces')
  const conditions: Condition = { param: 'source.depth', op: 'gt', value: 0 }
  return { spec: { type: 'evm_call', contract: address, internal: true, success: 'any' }, rawSource, conditions }
}

/** True if the alert asks for a sender, a receiver, a value or a status. */
export function asksMore({ succeeded, from, notTo, values }: Facts): boolean {
  return succeeded !== undefined || [from.in, from.notIn, notTo, values].some((list) => list.length > 0)
}

/** The same facts about the transaction around a log or a call. `own` is the contract that the item itself names. */
export function surroundingMatch(facts: Facts, own: string | undefined): TransactionMatch[] {
  const quoted = (name: string, op: string, list: readonly string[], join: string) =>
    `(${list.map((address) => `${name} ${op} '${address}'`).join(` ${join} `)})`
  const { target, from, notTo, values, succeeded } = facts
  const parts = [
    ...from.in.map((list) => quoted('from', '==', list, 'OR')),
    ...from.notIn.map((list) => quoted('from', '!=', list, 'AND')),
    ...(notTo.length > 0 ? [quoted('to', '!=', notTo, 'AND')] : []),
    ...values.map(({ operator, value }) => `value ${operator} '${value}'`),
    ...(target ? targetText(target, own) : []),
  ]
  const status = succeeded === undefined ? 'Any' : succeeded ? 'Success' : 'Failure'
  return parts.length === 0 && status === 'Any' ? [] : [{ status, expression: parts.join(' AND ') || null }]
}

/** A transaction in which the contract itself emits a log or is called concerns it in any case. */
function targetText({ address, role }: NonNullable<Facts['target']>, own: string | undefined): string[] {
  if (role === 'source') return [`from == '${address}'`]
  if (role === 'direct') return [`to == '${address}'`]
  if (own === address) return []
  if (role === 'internal')
    throw new Impossible(`internal calls of ${address} cannot be combined with other expressions`)
  return [`(from == '${address}' OR to == '${address}')`]
}
