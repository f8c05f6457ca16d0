import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Condition } from '@tocsin/contract'
import { ExpressionError } from '../evm/expression.ts'
import { filterOf } from '../evm/filter.ts'
import { type AbiItem, abiItems } from '../evm/signatures.ts'
import { definitionOf } from '../evm/triggers.ts'
import { Impossible } from '../importer.ts'
import { type Names, nameFrom } from '../names.ts'
import type { Notes } from '../notes.ts'
import { type Item, logItem } from './items.ts'
import type { Contract, NativeTransfers, Outlets } from './manifest.ts'
import type { Networks } from './networks.ts'
import { type Message, type Outlet, outletsOf, type Resources } from './outlets.ts'
import { type Target, targetConditions, targetsOf } from './targets.ts'

export type Context = Place & { folder: string; networks: Networks; resources: Resources }

/** Fields that decide how events are stored or in which order they are indexed. */
const storing = ['index_event_in_order', 'dependency_events', 'generate_csv', 'tables']

/** A contract becomes triggers for the events that its streams and chats name. */
export function importContract(contract: Contract, context: Context): void {
  const definition = `contract ${contract.name}`
  try {
    const readAbi = (path: string) => readAbiFile(resolve(context.folder, path), path)
    const abi = contract.abi.flatMap(readAbi)
    const targets = contract.details.flatMap((detail) => targetsOf(detail, context.networks, readAbi))
    // A wrong filter makes the contract impossible before anything is written.
    for (const target of targets) for (const { event_name } of target.indexed) conditionsOf(target, event_name)
    const itemOf = itemsOf(contract, abi)
    importOwner(definition, { owner: contract.name, targets, itemOf }, contract, contract.details, context)
  } catch (error) {
    if (!(error instanceof Impossible)) throw error
    refuseOwner(definition, contract.name, contract, error.message, context)
  }
}

/** A line for the contract or the native transfers, and one for each of the streams and chats. */
export function refuseOwner(definition: string, owner: string, outlets: Outlets, why: string, context: Context): void {
  context.notes.impossible(definition, why)
  for (const outlet of outletsOf(outlets, owner, context.resources))
    context.notes.impossible(outlet.definition, `${definition} is not possible`)
}

/** Adds what the streams and chats of a contract, or of the native transfers, need, and the lines of the report. */
export function importOwner(
  definition: string,
  events: Events,
  settings: Contract | NativeTransfers,
  details: readonly { start_block?: number | undefined }[],
  context: Context,
): void {
  const differences: string[] = []
  const unused = storing.filter((field) => settings[field] !== undefined)
  if (unused.length > 0) differences.push(`events are only told, without ${unused.join(', ')}`)
  if (details.some(({ start_block }) => start_block !== undefined))
    differences.push('past blocks from start_block on are not told')
  const finality = finalityOf(settings.reorg_safe_distance, differences)
  const outlets: Outlet[] = outletsOf(settings, events.owner, context.resources)
  if (outlets.length > 0) context.notes.done(definition, differences)
  else context.notes.impossible(definition, 'its events are only stored: it has no webhook and no chat')
  importOutlets({ ...events, ...(finality !== undefined && { finality }) }, outlets, context)
}

function conditionsOf(target: Target, event: string) {
  return targetConditions(target, event, 'source.blockNumber')
}

function itemsOf({ include_events }: Contract, abi: readonly AbiItem[]): Events['itemOf'] {
  return (event, target) => {
    if (include_events && !include_events.includes(event)) return 'include_events does not name it'
    if (target.events && !target.events.includes(event)) return 'the filter does not name it'
    const fragments = abi.filter(({ type, name }) => type === 'event' && name === event)
    return fragments.length === 0 ? 'the ABI does not have it' : logItem(fragments, target, conditionsOf(target, event))
  }
}

/** A number is how many blocks must stand on the event. */
function finalityOf(distance: boolean | number | undefined, differences: string[]): unknown {
  if (typeof distance === 'number') return distance > 0 ? { confirmations: Math.min(distance, 1000) } : undefined
  if (distance !== true) return undefined
  differences.push('an event is told when its block is final, not at the safe distance of rindexer')
  return 'finalized'
}

function readAbiFile(file: string, path: string): AbiItem[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new Impossible(`its ABI ${path} cannot be read`)
  }
  const items = abiItems(text)
  if (items.length === 0) throw new Impossible(`its ABI ${path} has no items`)
  return items
}

/** The events of a contract, or the native transfers: what one of them is on a target, or why it is not followed. */
type Events = {
  owner: string
  targets: readonly Target[]
  finality?: unknown
  itemOf(event: string, target: Target): Item | string
}
type Place = { workspace: string; project: string; notes: Notes; triggers: Names; keys: Names }

/** Messages that want the same event under the same condition share a trigger. */
function importOutlets(events: Events, outlets: readonly Outlet[], place: Place): void {
  const made = new Map<string, string>()
  for (const outlet of outlets) {
    const problems: string[] = outlet.messages.length === 0 ? ['it names no event'] : []
    const keys = outlet.messages.flatMap((message) => importMessage(events, outlet, message, place, made, problems))
    if (keys.length > 0) place.notes.done(outlet.definition, [...outlet.differences, ...problems])
    else place.notes.impossible(outlet.definition, [...new Set(problems)].join('; '))
  }
}

/** The subscriptions of a message: one for each target on its networks. */
function importMessage(
  events: Events,
  outlet: Outlet,
  message: Message,
  place: Place,
  made: Map<string, string>,
  problems: string[],
): string[] {
  const targets = events.targets.filter(({ network }) => outlet.networks.includes(network))
  if (targets.length === 0) problems.push(`${events.owner} is not on ${outlet.networks.join(', ')}`)
  return targets.flatMap((target) => {
    const trigger = triggerFor(events, target, message, place, made)
    if ('problem' in trigger) {
      problems.push(`the event ${message.event} is left out: ${trigger.problem}`)
      return []
    }
    return [addSubscription(events, outlet, message, trigger.fullname, place)]
  })
}

function triggerFor(
  events: Events,
  target: Target,
  message: Message,
  place: Place,
  made: Map<string, string>,
): { fullname: string } | { problem: string } {
  const { event, alias, expression } = message
  const key = JSON.stringify([events.targets.indexOf(target), event, alias, expression])
  const known = made.get(key)
  if (known !== undefined) return { fullname: known }
  const item = events.itemOf(event, target)
  if (typeof item === 'string') return { problem: item }
  const filter = readFilter(item, expression)
  if (typeof filter === 'string') return { problem: filter }
  const { workspace, project, notes } = place
  const title = `${events.owner} ${event}`
  const name = place.triggers.take(title)
  const fullname = `${project}.${name}`
  const about = { name, fullname, project, workspace, backend: { type: 'sdk' }, meta: { title } }
  const rawSource = `({ event_name: ${JSON.stringify(alias ?? event)}, ${item.message} })`
  const fields = definitionOf({ spec: item.spec, rawSource, ...filter }, [target.source])
  notes.add('trigger', { ...about, ...fields, defaults: { title } })
  made.set(key, fullname)
  return { fullname }
}

/** The conditions of the item and those of the message. */
function readFilter({ conditions, variables }: Item, expression: string | undefined) {
  try {
    const own = filterOf([{ expression, variables }], [], { variables: new Map() })
    const all: Condition[] = own.conditions ? [...conditions, own.conditions] : conditions
    return { ...own, ...(all.length > 0 && { conditions: { all } }) }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return `its expression cannot be read: ${error.message}`
  }
}

function addSubscription(
  events: Events,
  outlet: Outlet,
  { template }: Message,
  trigger: string,
  { workspace, project, notes, keys }: Place,
): string {
  const resource = outlet.resource()
  const [name, channel] = [trigger, resource].map((fullname) => fullname.split('.').at(-1) ?? '')
  const key = keys.take(nameFrom(`${name}-${channel}`))
  const finality = outlet.isFinalized ? 'finalized' : events.finality
  notes.add('subscription', {
    ...{ key, workspace, project, trigger, resources: [resource] },
    ...(template !== undefined && { overrides: { long: template } }),
    ...(finality !== undefined && { delivery: { finality } }),
  })
  return key
}
