import { isRecord } from '../../folder/paths.ts'
import { ExpressionError } from '../evm/expression.ts'
import { abiItems, groupByAbi, type Match, type TransactionMatch } from '../evm/signatures.ts'
import {
  callTrigger,
  type Dialect,
  definitionOf,
  eventTrigger,
  type MatchedItem,
  type TriggerParts,
  transactionTrigger,
} from '../evm/triggers.ts'
import { surroundingVariables, transactionVariables, type Variables } from '../evm/variables.ts'
import type { Names } from '../names.ts'
import { channelLeftOut, type Notes } from '../notes.ts'
import type { DefenderMonitor, DefenderRule } from './read-monitor.ts'

export type Place = { workspace: string; project: string; triggers: Names }
const severities: Record<string, string> = { LOW: 'info', MEDIUM: 'warning', HIGH: 'critical' }

export function importMonitor(
  monitor: DefenderMonitor,
  source: string,
  channels: ReadonlyMap<string, string[]>,
  place: Place,
  notes: Notes,
  differences: string[],
): void {
  const definition = `monitor ${monitor.name}`
  const triggers = triggersOf(monitor, differences)
  if (typeof triggers === 'string') {
    notes.impossible(definition, triggers)
    return
  }
  for (const field of monitor.actions) differences.push(`the ${field} is not run`)
  const subscription = subscriptionOf(monitor, channels, differences)
  for (const parts of triggers) {
    const { workspace, project } = place
    const name = place.triggers.take(monitor.name)
    const fullname = `${project}.${name}`
    const about = { name, fullname, project, workspace, backend: { type: 'sdk' }, meta: { title: monitor.name } }
    notes.add('trigger', { ...about, ...definitionOf(parts, [source]), defaults: defaultsOf(monitor) })
    if (subscription) notes.add('subscription', { key: name, workspace, project, trigger: fullname, ...subscription })
  }
  notes.done(definition, differences)
}

/** The parts of its triggers, or why there are none. */
function triggersOf(monitor: DefenderMonitor, differences: string[]): TriggerParts[] | string {
  if (monitor.isForta) return 'it listens to Forta, which Tocsin does not read'
  try {
    const all = monitor.rules.flatMap((rule) => triggersOfRule(monitor, rule, differences))
    if (all.length > 1)
      differences.push('an event or a call alone is enough, and a transaction with both gives an alert for each')
    return all.length > 0 ? all : 'its ABI has none of its events and functions'
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return `an expression cannot be read: ${error.message}`
  }
}

function triggersOfRule(monitor: DefenderMonitor, rule: DefenderRule, differences: string[]): TriggerParts[] {
  const { addresses, events, functions } = rule
  const context = { transactions: transactionsOf(rule), dialect: dialectOf(monitor.name, monitor.network) }
  if (events.length + functions.length === 0) {
    differences.push('a transaction in which an address only emits an event is not matched')
    return [transactionTrigger(addresses, context)]
  }
  const contracts = addresses.map((address) => ({ address, abi: abiItems(rule.abi) }))
  const logs = groupByAbi(contracts, 'event', events.map(matchOf))
  const calls = groupByAbi(contracts, 'function', functions.map(matchOf))
  return [...logs.map((group) => eventTrigger(group, context)), ...calls.map((group) => callTrigger(group, context))]
}

function matchOf(condition: Record<string, unknown>): Match {
  const signature = condition.signature ?? condition.eventSignature ?? condition.functionSignature
  return { signature: String(signature ?? ''), expression: textOrNull(condition.expression) }
}

const outcomes: Record<string, TransactionMatch['status']> = { success: 'Success', failed: 'Failure' }

function transactionsOf({ transactions }: DefenderRule): TransactionMatch[] {
  return transactions.map(({ status, expression }) => ({
    status: outcomes[String(status).toLowerCase()] ?? 'Any',
    expression: textOrNull(expression),
  }))
}

function defaultsOf({ severity, subject, message }: DefenderMonitor) {
  return {
    title: subject === undefined ? '{{raw.monitor.name}}' : templateFrom(subject),
    ...(message !== undefined && { long: templateFrom(message) }),
    severity: severities[severity ?? ''] ?? 'info',
    delivery: { mode: 'once_per_key', keyPath: 'transactionHash' },
  }
}

/** Undefined if the monitor is paused. */
function subscriptionOf(monitor: DefenderMonitor, channels: ReadonlyMap<string, string[]>, differences: string[]) {
  const { isPaused, threshold, timeoutMs, confirmations } = monitor
  if (isPaused) {
    differences.push('it is paused, so it has no subscription')
    return undefined
  }
  const resources = monitor.channels.flatMap((channel) => {
    const id = isRecord(channel) ? String(channel.notificationId ?? channel.name) : String(channel)
    const found = channels.get(id)
    if (!found) differences.push(channelLeftOut(id))
    return found ?? []
  })
  if (threshold) differences.push('the alert of its threshold is also told when it is over')
  if (threshold && timeoutMs > 0) differences.push('its timeout is left out beside the threshold')
  const seconds = Math.max(1, Math.round(timeoutMs / 1000))
  const policy = threshold
    ? { type: 'count', count: threshold.amount, within: `${threshold.seconds}s` }
    : timeoutMs > 0
      ? { type: 'throttle', per: `${seconds}s` }
      : undefined
  return { resources, ...(policy && { policy }), ...finalityOf(confirmations) }
}

function finalityOf(level: unknown) {
  if (level === 'safe' || level === 'finalized') return { delivery: { finality: level } }
  const blocks = Number(level ?? 0)
  return Number.isInteger(blocks) && blocks > 0 ? { delivery: { finality: { confirmations: blocks } } } : {}
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** The names of Defender for the fields that OpenZeppelin Monitor, its successor, writes with underscores. */
const names = {
  to: 'to',
  from: 'from',
  value: 'value',
  nonce: 'nonce',
  gasPrice: 'gas_price',
  maxFeePerGas: 'max_fee_per_gas',
  maxPriorityFeePerGas: 'max_priority_fee_per_gas',
  gasLimit: 'gas_limit',
  gasUsed: 'gas_used',
  input: 'input',
  hash: 'hash',
}

function renamed(variables: Variables, status: string): Variables {
  const pairs = Object.entries(names).flatMap(([name, theirs]) => {
    const variable = variables.get(theirs)
    return variable ? [[name, variable] as const] : []
  })
  return new Map([...pairs, ['status', { kind: 'string', script: `(${status} ? 'success' : 'failed')` }]])
}

/** The output has the form that messages of Defender read: `transaction`, `matchReasons`, `monitor`. */
function dialectOf(monitor: string, network: string): Dialect {
  const about = `monitor: ${JSON.stringify({ name: monitor })}, network: ${JSON.stringify(network)}`
  const raw = (item: MatchedItem): string => {
    if (item.kind === 'transaction')
      return `({ ${about}, blockHash: source.block.hash, transactionHash: source.hash, value: source.value, transaction: { transactionHash: source.hash, from: source.from, to: source.to }, matchReasons: [] })`
    const block = item.kind === 'event' ? 'source.blockHash' : 'source.block.hash'
    const reason = `{ type: ${JSON.stringify(item.kind)}, signature: ${item.signature}, address: source.address, args: source.args, params: source.params }`
    return `({ ${about}, blockHash: ${block}, transactionHash: source.transactionHash, value: BigInt(providers.transaction.value), transaction: { transactionHash: source.transactionHash, from: providers.transaction.from, to: providers.transaction.to }, matchReasons: [${reason}] })`
  }
  return {
    transaction: renamed(transactionVariables, 'source.status === 1'),
    surrounding: renamed(surroundingVariables, 'source.success !== false'),
    raw,
  }
}

/** `{{ matchReasons[0].params.value }}` reads the same path in the output of the imported trigger. */
function templateFrom(text: string): string {
  return text.replaceAll(/\{\{\s*([\w.[\]]+)\s*\}\}/g, (_whole, path: string) => {
    const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
    return `{{raw.${steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : step)).join('.')}}}`
  })
}
