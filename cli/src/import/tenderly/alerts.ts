import { isRecord } from '../../folder/paths.ts'
import { ExpressionError } from '../evm/expression.ts'
import { sourceOfChain } from '../evm/networks.ts'
import { type AbiItem, signatureOf } from '../evm/signatures.ts'
import { definitionOf, type TriggerParts } from '../evm/triggers.ts'
import { Impossible } from '../importer.ts'
import type { Names } from '../names.ts'
import { channelLeftOut, type Notes } from '../notes.ts'
import { absenceParts } from './absence.ts'
import { type Facts, readFacts } from './facts.ts'
import { type Fields, operatorOf, recordsIn, requireText, textOf } from './fields.ts'
import type { Alert, Expression } from './files.ts'
import { callParts, internalErrorParts, logParts } from './items.ts'
import { type Outputs, outputsOf } from './outputs.ts'
import { readingOf } from './readings.ts'
import { asksMore, transactionParts } from './transactions.ts'

export type Context = {
  workspace: string
  project: string
  notes: Notes
  names: Names
  channels: ReadonlyMap<string, string[]>
  abi: readonly AbiItem[]
}

/** What an alert becomes: a trigger, and the policy of its subscription. `providers` replaces those of the parts. */
type Made = { parts: TriggerParts; providers?: Fields[]; policy?: Fields }

export function importAlert(alert: Alert, context: Context): void {
  const { workspace, project, notes } = context
  const definition = `alert ${alert.name}`
  const differences: string[] = []
  try {
    const facts = readFacts(alert, differences)
    const source = sourceOfChain(facts.chainId, workspace, differences)
    const made = make(alert, facts, context.abi, differences)
    const name = context.names.take(alert.name)
    const fullname = `${project}.${name}`
    const about = { name, fullname, project, workspace, backend: { type: 'sdk' }, meta: { title: alert.name } }
    const { providers, parts } = made
    const fields = { ...definitionOf(parts, [source]), ...(providers && { providers }) }
    notes.add('trigger', { ...about, ...fields, defaults: defaultsOf(alert, made.policy === undefined) })
    const subscription = subscriptionOf(alert, made.policy, context, differences)
    if (subscription) notes.add('subscription', { key: name, workspace, project, trigger: fullname, ...subscription })
    notes.done(definition, differences)
  } catch (error) {
    if (!(error instanceof Impossible || error instanceof ExpressionError)) throw error
    notes.impossible(definition, error.message)
  }
}

const unknowable: Record<string, string> = {
  tag: 'the contracts of its tag are not in the alert: name their addresses',
  erc20_transfer_matcher: 'it compares the storage of a token with its events, which Tocsin does not read together',
}

/** One kind of expression decides what the trigger matches; the others choose transactions. */
function make(alert: Alert, facts: Facts, abi: readonly AbiItem[], differences: string[]): Made {
  const outputs = outputsOf(alert.name, facts.chainId)
  const { others } = facts
  for (const { type } of others) if (unknowable[type] !== undefined) throw new Impossible(unknowable[type])
  const [first] = others
  if (!first) return { parts: transactionParts(facts, outputs.transaction, differences) }
  const context = { facts, abi, outputs, differences }
  if (others.every(({ type }) => type === 'method_call' || type === 'function_params'))
    return {
      parts: callParts(
        others.map(({ expression }) => expression),
        context,
      ),
    }
  if (others.length > 1)
    throw new Impossible(`its expressions cannot be combined: ${others.map(({ type }) => type).join(', ')}`)
  const { type, expression } = first
  if (type === 'emitted_log') return { parts: logParts(expression, context) }
  if (type === 'tx_internal_error') return { parts: internalErrorParts(expression, context) }
  requireAlone(facts, first, differences)
  if (type === 'no_action') return absenceParts(expression, outputs)
  if (type === 'eth_balance') return watched(balanceWatch(expression, outputs), differences)
  if (type === 'view_function') return watched(functionWatch(expression, outputs), differences)
  if (type === 'state_change') return watched(stateWatch(expression, abi, outputs, differences), differences)
  throw new Impossible(`its expression ${type} is not known`)
}

/** A value is read at blocks, not in transactions, so nothing can be asked of a transaction. */
function requireAlone(facts: Facts, { type, expression }: Expression, differences: string[]): void {
  if (asksMore(facts))
    throw new Impossible(`${type} cannot be combined with the sender, value or status of a transaction`)
  const { target } = facts
  if (target && target.address !== textOf(expression.address)?.toLowerCase())
    differences.push(`it fires whether or not a transaction concerns ${target.address}`)
}

function watched({ providers, rawSource, policy }: Watch, differences: string[]): Made {
  differences.push(
    policy.type === 'threshold'
      ? 'the value is read at each block; a value that is already beyond the bound fires too, and the end is told'
      : 'the value is read at each block',
  )
  return { parts: { spec: { type: 'evm_block' }, rawSource }, providers, policy }
}

const severities: Record<string, string> = {
  warning: 'warning',
  medium: 'warning',
  critical: 'critical',
  high: 'critical',
}

/** An alert of Tenderly is told once for a transaction. */
function defaultsOf({ name, description, severity }: Alert, isOfTransactions: boolean) {
  const plain = (text: string) => text.replaceAll('{{', '{ {')
  return {
    title: plain(name),
    ...(description && { long: plain(description) }),
    severity: severities[severity?.toLowerCase() ?? ''] ?? 'info',
    ...(isOfTransactions && { delivery: { mode: 'once_per_key', keyPath: 'transactionHash' } }),
  }
}

/** Undefined if the alert is disabled. */
function subscriptionOf(alert: Alert, policy: Fields | undefined, { channels }: Context, differences: string[]) {
  if (!alert.enabled) {
    differences.push('it is disabled, so it has no subscription')
    return undefined
  }
  const resources = alert.delivery_channels.flatMap(({ id, isEnabled }) => {
    if (!isEnabled) return []
    const found = channels.get(id)
    if (!found) differences.push(channelLeftOut(id))
    return found ?? []
  })
  return { resources, ...(policy && { policy }) }
}

/** A value that is read at each block, and the policy that decides which value is worth an alert. */
type Watch = { providers: Fields[]; rawSource: string; policy: Fields }

const blockProvider = { id: 'block', type: 'javascript', source: "'0x' + source.number.toString(16)" }
const atBlock = '{{providers.block}}'

/** The balance of an account. Without an operator the alert is for a balance under the threshold. */
function balanceWatch(fields: Fields, outputs: Outputs): Watch {
  const address = requireText(fields, 'address').toLowerCase()
  const read = { id: 'data', type: 'rpc', transport: 'source', method: 'eth_getBalance', params: [address, atBlock] }
  const operator = operatorOf(fields, '<')
  const condition = { comparison_value: requireText(fields, 'threshold'), operator, parameter_type: 'uint' }
  return watch([blockProvider, read], address, condition, outputs)
}

/** The result of a view function. The alert has the whole input of the call, so no ABI is needed. */
function functionWatch(fields: Fields, outputs: Outputs): Watch {
  const address = requireText(fields, 'address').toLowerCase()
  const params = [{ to: address, data: requireText(fields, 'input') }, atBlock]
  const read = { id: 'data', type: 'rpc', transport: 'source', method: 'eth_call', params }
  const { parameter_condition: condition } = fields
  if (!isRecord(condition)) throw new Impossible('it has no parameter_condition')
  return watch([blockProvider, read], address, condition, outputs)
}

/** A state variable. Its getter is a view function, if the ABI has one. */
function stateWatch(fields: Fields, abi: readonly AbiItem[], outputs: Outputs, differences: string[]): Watch {
  const address = requireText(fields, 'address').toLowerCase()
  const [condition, ...more] = recordsIn(fields.parameter_conditions)
  if (!condition || more.length > 0) throw new Impossible('it must have one condition on one state variable')
  const name = requireText(condition, 'parameter_name')
  const getter = abi.find(
    (item) => item.type === 'function' && item.name === name && recordsIn(item.inputs).length === 0,
  )
  if (!getter)
    throw new Impossible(
      `the place of ${name} in the storage is not known, and no ABI beside the alerts has a getter for it`,
    )
  differences.push(`the getter ${name}() is read`)
  if (fields.match_any === true) differences.push('the other contracts of the project are not watched')
  const read = { id: 'data', type: 'evm_read', contract: address, method: signatureOf(getter), abiFragment: [getter] }
  return watch([read], address, condition, outputs)
}

function watch(providers: Fields[], address: string, condition: Fields, outputs: Outputs): Watch {
  const { value, holds, policy } = readingOf(condition, providers.at(-1)?.type === 'evm_read')
  const own = { id: 'value', type: 'javascript', source: value }
  const fields = `address: ${JSON.stringify(address)}, value: providers.value, holds: ${holds}`
  return { providers: [...providers, own], rawSource: outputs.value(fields), policy }
}
