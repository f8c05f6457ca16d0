import type { Condition } from '@tocsin/contract'
import { type Filter, filterOf } from '../evm/filter.ts'
import { type AbiItem, signatureOf } from '../evm/signatures.ts'
import type { TriggerParts } from '../evm/triggers.ts'
import { argumentVariables, surroundingVariables } from '../evm/variables.ts'
import { Impossible } from '../importer.ts'
import type { Facts } from './facts.ts'
import { addressesIn, expressionOf, type Fields, recordsIn, requireText, textOf } from './fields.ts'
import type { Outputs } from './outputs.ts'
import { surroundingMatch } from './transactions.ts'

type Context = { facts: Facts; abi: readonly AbiItem[]; outputs: Outputs; differences: string[] }

/** The outcome of the whole transaction, which may differ from that of a call inside it. */
const transactionSucceeded = 'BigInt(providers.receipt.status) === 1n'

/** An event. Its id, the hash of its signature, chooses it; an ABI is needed only for conditions on its parameters. */
export function logParts(fields: Fields, { facts, abi, outputs, differences }: Context): TriggerParts {
  const name = textOf(fields.event_name)
  const id = textOf(fields.event_id)?.toLowerCase()
  const conditions = recordsIn(fields.parameter_conditions)
  const events = abi.filter((item) => item.type === 'event' && item.name === name)
  const fragment = events.find((item) => hasParameters(item, conditions))
  if (!fragment && conditions.length > 0) throw new Impossible(whyNoAbi(events, `the event ${name}`))
  if (id === undefined && !fragment) throw new Impossible('it has no event_id')
  const contract = contractOf(fields, differences)
  if (fields.decode_events === true) differences.push('bytes stay hexadecimal digits')
  const filter = filterOf([alternative(fragment, conditions)], surroundingMatch(facts, contract), {
    variables: surroundingVariables,
  })
  return {
    spec: { type: 'evm_log', ...(contract && { contract }), ...(fragment && { abiFragment: [fragment] }) },
    rawSource: outputs.item('source.event'),
    ...withCondition(filter, id === undefined ? undefined : { param: 'source.topics.0', op: 'eq', value: id }),
  }
}

/** Undefined for the events of every contract. */
function contractOf(fields: Fields, differences: string[]): string | undefined {
  if (fields.match_any === true && fields.match_non_project_contracts === true) return undefined
  if (fields.match_any === true) differences.push('the other contracts of the project are not watched')
  return requireText(fields, 'address').toLowerCase()
}

const names = ['signature', 'function_signature', 'method_signature', 'function_name', 'method_name', 'method_id']

/** A call of a function, at any depth unless the alert wants direct calls. */
export function callParts(all: readonly Fields[], context: Context): TriggerParts {
  const { facts, abi, outputs, differences } = context
  const fields: Fields = Object.assign({}, ...all)
  const contract = textOf(fields.address)?.toLowerCase() ?? facts.target?.address
  if (contract === undefined) throw new Impossible('it names no contract')
  const conditions = recordsIn(fields.parameter_conditions)
  const { fragment, method } = functionOf(fields, conditions, abi, differences)
  const isDirect = facts.target?.role === 'direct'
  if (!isDirect) differences.push('its source needs a node with traces')
  if (fields.call_position === 'first' || fields.call_position === 'last')
    differences.push(`a call at any position counts, not only the ${fields.call_position}`)
  const around = { variables: surroundingVariables, succeeded: transactionSucceeded }
  const filter = filterOf([alternative(fragment, conditions)], surroundingMatch(facts, contract), around)
  return {
    spec: {
      ...{ type: 'evm_call', contract, method, success: 'any', internal: !isDirect },
      ...(fragment && { abiFragment: [fragment] }),
    },
    rawSource: outputs.item('source.method'),
    ...filter,
  }
}

/** Tenderly names a function by its line in the source code. The ABI tells which one has the parameters. */
function functionOf(fields: Fields, conditions: readonly Fields[], abi: readonly AbiItem[], differences: string[]) {
  const functions = abi.filter((item) => item.type === 'function' && hasParameters(item, conditions))
  const named = names.flatMap((name) => textOf(fields[name]) ?? [])[0]
  const found = functions.filter((item) => item.name === named || signatureOf(item) === named)
  const [fragment] = named === undefined && conditions.length > 0 && functions.length === 1 ? functions : found
  if (fragment) {
    const method = signatureOf(fragment)
    if (named === undefined) differences.push(`the function is ${method}, the only one with these parameters`)
    return { fragment, method }
  }
  if (named !== undefined && conditions.length === 0 && /^0x[0-9a-f]{8}$|\(/i.test(named))
    return { fragment: undefined, method: named }
  if (named !== undefined) throw new Impossible(whyNoAbi([], `the function ${named}`))
  const line = textOf(fields.line_number) ?? textOf(fields.function_line_number)
  throw new Impossible(`it names its function by line ${line} of the source code, which is not in the alert`)
}

/** A call inside a successful transaction that failed. */
export function internalErrorParts(fields: Fields, { facts, outputs, differences }: Context): TriggerParts {
  differences.push('its source needs a node with traces')
  const contracts = addressesIn(fields.addresses_to_match)
  const around = { variables: surroundingVariables, succeeded: transactionSucceeded }
  const match = surroundingMatch({ ...facts, succeeded: true }, undefined)
  return {
    spec: {
      ...{ type: 'evm_call', internal: true, success: false },
      ...(contracts.length > 0 && { contract: contracts }),
    },
    rawSource: outputs.item('source.method'),
    ...withCondition(filterOf([{ variables: new Map() }], match, around), {
      param: 'source.depth',
      op: 'gt',
      value: 0,
    }),
  }
}

function alternative(fragment: AbiItem | undefined, conditions: readonly Fields[]) {
  return { expression: expressionOf(conditions), variables: argumentVariables(fragment ?? {}) }
}

function withCondition(filter: Filter, condition: Condition | undefined): Filter {
  if (!condition) return filter
  return { ...filter, conditions: filter.conditions ? { all: [condition, filter.conditions] } : condition }
}

function hasParameters(item: AbiItem, conditions: readonly Fields[]): boolean {
  const known = new Set(recordsIn(item.inputs).map(({ name }) => name))
  return conditions.every(({ parameter_name }) => known.has(parameter_name))
}

function whyNoAbi(events: readonly AbiItem[], what: string): string {
  return events.length > 0
    ? `the ABI of ${what} has not all the parameters that it names`
    : `its conditions need the ABI of ${what}: put it as a JSON file beside the alerts`
}
