import { ExpressionError } from '../evm/expression.ts'
import { abiItems, groupByAbi } from '../evm/signatures.ts'
import {
  callTrigger,
  type Dialect,
  definitionOf,
  eventTrigger,
  type MatchedItem,
  type TriggerParts,
  transactionTrigger,
} from '../evm/triggers.ts'
import { surroundingVariables, transactionVariables } from '../evm/variables.ts'
import { type Names, nameFrom } from '../names.ts'
import { channelLeftOut, type Notes } from '../notes.ts'
import type { ImportedChannel } from './channels.ts'
import type { Monitor } from './files.ts'
import type { Sources } from './networks.ts'

export type Place = { workspace: string; project: string; triggers: Names; keys: Names }
type Channels = ReadonlyMap<string, ImportedChannel>

/**
 * A monitor fires once for a transaction. Its events become one trigger for each ABI, and so do its functions, each with a
 * delivery once for each transaction hash.
 */
export function importMonitor(
  monitor: Monitor,
  sources: Sources,
  channels: Channels,
  place: Place,
  notes: Notes,
): void {
  const definition = `monitor ${monitor.name}`
  const known = monitor.networks.flatMap((slug) => sources.get(slug) ?? [])
  const read = readMonitor(monitor, known, channels)
  if ('impossible' in read) {
    notes.impossible(definition, read.impossible)
    return
  }
  for (const parts of read.triggers) {
    const { workspace, project } = place
    const name = place.triggers.take(monitor.name)
    const about = { name, fullname: `${project}.${name}`, project, workspace, backend: { type: 'sdk' } }
    const defaults = { title: '{{raw.monitor.name}}', delivery: { mode: 'once_per_key', keyPath: 'transactionHash' } }
    const fields = definitionOf(
      parts,
      known.map(({ fullname }) => fullname),
    )
    notes.add('trigger', { ...about, meta: { title: monitor.name }, ...fields, defaults })
    for (const payload of subscriptionsOf(monitor, name, channels, place)) notes.add('subscription', payload)
  }
  notes.done(definition, read.differences)
}

type ReadMonitor = { triggers: TriggerParts[]; differences: string[] } | { impossible: string }

function readMonitor(monitor: Monitor, known: readonly { kind: string }[], channels: Channels): ReadMonitor {
  if (known.length === 0) return { impossible: `no network of it can be followed: ${monitor.networks.join(', ')}` }
  if (known.some(({ kind }) => kind !== 'evm'))
    return { impossible: 'its program data need an IDL, which the monitor does not hold' }
  const differences = differencesOf(monitor, known.length, channels)
  try {
    const triggers = triggersOf(monitor, channels, differences)
    if (triggers.length > 0) return { triggers, differences }
    return { impossible: 'no contract_spec has its events or functions, so it never matches' }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { impossible: `an expression cannot be read: ${error.message}` }
  }
}

/** Each channel has its own message, so each gets a subscription. */
function subscriptionsOf(monitor: Monitor, name: string, channels: Channels, { workspace, project, keys }: Place) {
  if (monitor.paused) return []
  return monitor.triggers.flatMap((id) => {
    const channel = channels.get(id)
    if (!channel) return []
    const texts = Object.entries({ title: channel.title, long: channel.long }).filter(([, text]) => text !== '')
    const overrides = Object.fromEntries(texts.map(([field, text]) => [field, templateFrom(text)]))
    const about = { key: keys.take(`${name}-${nameFrom(id)}`), workspace, project, trigger: `${project}.${name}` }
    return [{ ...about, resources: channel.resources, ...(texts.length > 0 && { overrides }) }]
  })
}

function triggersOf(monitor: Monitor, channels: Channels, differences: string[]): TriggerParts[] {
  const { events, functions, transactions } = monitor.match_conditions
  const texts = monitor.triggers.flatMap((id) => channels.get(id) ?? []).flatMap(({ title, long }) => [title, long])
  const needsTransaction = texts.some((text) => /\$\{\s*transaction\.(?:from|to|value)/.test(text))
  const context = { transactions, dialect: dialectOf(monitor.name, needsTransaction) }
  const contracts = monitor.addresses.map(({ address, contract_spec }) => ({ address, abi: abiItems(contract_spec) }))
  if (events.length + functions.length === 0) {
    differences.push('a transaction in which an address only emits an event is not matched')
    return [
      transactionTrigger(
        monitor.addresses.map(({ address }) => address),
        context,
      ),
    ]
  }
  const logs = groupByAbi(contracts, 'event', events).map((group) => eventTrigger(group, context))
  const calls = groupByAbi(contracts, 'function', functions).map((group) => callTrigger(group, context))
  const all = [...logs, ...calls]
  if (all.length > 1) differences.push('a transaction that matches several of its triggers gives an alert for each')
  return all
}

function differencesOf(monitor: Monitor, known: number, channels: Channels): string[] {
  const { networks, paused, trigger_conditions, triggers } = monitor
  const differences: string[] = []
  if (known < networks.length) differences.push('some of its networks cannot be followed')
  if (paused) differences.push('it is paused, so it has no subscription')
  else if (triggers.length === 0) differences.push('it names no channel, so it has no subscription')
  for (const id of paused ? [] : triggers) if (!channels.has(id)) differences.push(channelLeftOut(id))
  for (const { script_path } of trigger_conditions)
    differences.push(`the filter script ${script_path} is not run: write it as an activation`)
  return differences
}

/** `${events.0.args.value}` reads the same path in the output of the imported trigger. */
function templateFrom(text: string): string {
  return text.replaceAll(
    /\$\{([^{}]+)\}/g,
    (_whole, path: string) => `{{raw.${path.trim().split('.').map(segment).join('.')}}}`,
  )
}

function segment(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `[${name}]`
}

/** The output has the form that the messages of a monitor read. */
function dialectOf(monitor: string, needsTransaction: boolean): Dialect {
  const name = `monitor: { name: ${JSON.stringify(monitor)} }`
  const fields = needsTransaction
    ? ', from: providers.transaction.from, to: providers.transaction.to, value: BigInt(providers.transaction.value)'
    : ''
  const raw = (item: MatchedItem): string => {
    if (item.kind === 'transaction')
      return `({ ${name}, transactionHash: source.hash, transaction: source, events: [], functions: [] })`
    const own = `[{ signature: ${item.signature}, args: source.params }]`
    const lists = item.kind === 'event' ? `events: ${own}, functions: []` : `events: [], functions: ${own}`
    return `({ ${name}, transactionHash: source.transactionHash, transaction: { hash: source.transactionHash${fields} }, ${lists} })`
  }
  return { transaction: transactionVariables, surrounding: surroundingVariables, raw }
}
