import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type AbiItem, abiItems } from '../evm/matches.ts'
import { Impossible } from '../impossible.ts'
import { logItem } from './items.ts'
import type { Contract, NativeTransfers, Outlets } from './manifest.ts'
import type { Networks } from './networks.ts'
import { type Outlet, outletsOf, type Resources } from './outlets.ts'
import { type Target, targetConditions, targetsOf } from './targets.ts'
import { type Events, importOutlets, type Place } from './triggers.ts'

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
