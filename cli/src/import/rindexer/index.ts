import { isRecord } from '../../folder/paths.ts'
import type { Importer } from '../importer.ts'
import { Names } from '../names.ts'
import { Notes } from '../notes.ts'
import { type Context, importContract, importOwner, refuseOwner } from './contracts.ts'
import { transferItem } from './items.ts'
import { type Manifest, type NativeTransfers, readManifest } from './manifest.ts'
import { importNetworks } from './networks.ts'
import { type Target, targetConditions } from './targets.ts'

/** Imports rindexer.yaml: its networks, and the streams and chats of its contracts and native transfers. */
export const importRindexer: Importer = async (path, into) => {
  const { manifest, folder } = readManifest(path)
  const notes = new Notes()
  const { workspace } = into
  const project = notes.addProject(into, 'rindexer')
  const networks = importNetworks(manifest.networks, workspace, notes)
  const resources = { workspace, notes, names: new Names(), made: new Map<string, string>() }
  const context = {
    ...{ workspace, project, notes, folder, networks, resources },
    triggers: new Names(),
    keys: new Names(),
  }
  for (const contract of manifest.contracts) importContract(contract, context)
  if (manifest.native_transfers) importNativeTransfers(manifest.native_transfers, context)
  refuseOthers(manifest, notes)
  return notes.imported()
}

const others = {
  storage: 'Tocsin sends alerts; it keeps no tables of events',
  graphql: 'Tocsin sends alerts; it keeps no tables of events',
  phantom: 'Tocsin follows the events that nodes give, without changed contracts',
  constants: 'only the tables of rindexer read them',
}

function refuseOthers(manifest: Manifest, notes: Notes): void {
  for (const [field, why] of Object.entries(others)) if (manifest[field] !== undefined) notes.impossible(field, why)
  const { global } = manifest
  const contracts: unknown[] = isRecord(global) && Array.isArray(global.contracts) ? global.contracts : []
  for (const contract of contracts.filter(isRecord))
    notes.impossible(`global contract ${String(contract.name)}`, 'only code of rindexer reads it')
}

type Detail = NonNullable<NativeTransfers['networks']>[number]

const [owner, event] = ['native transfers', 'NativeTransfer']

/** Transfers of the native coin. Without networks they are followed on all of them. */
function importNativeTransfers(settings: NativeTransfers, context: Context): void {
  const details: Detail[] = settings.networks ?? [...context.networks.keys()].map((network) => ({ network }))
  const unknown = details.find(({ network }) => !context.networks.has(network))
  const why = unknown ? `the network ${unknown.network} is not among the networks` : 'they are not enabled'
  if (unknown || !settings.enabled) {
    refuseOwner(owner, owner, settings, why, context)
    return
  }
  const traced = new Set<Target>()
  const targets = details.flatMap((detail): Target[] => {
    const network = context.networks.get(detail.network)
    if (!network) return []
    const target: Target = { network: detail.network, ...network, indexed: [], endBlock: detail.end_block }
    if (detail.method?.includes('trace')) traced.add(target)
    return [target]
  })
  const itemOf = (name: string, target: Target) => {
    if (name !== event) return `native transfers have only the event ${event}`
    const item = transferItem(target, traced.has(target))
    return { ...item, conditions: [...item.conditions, ...targetConditions(target, event, 'source.block.number')] }
  }
  importOwner(owner, { owner, targets, itemOf }, withEvent(settings), settings.networks ?? [], context)
}

/** A webhook that names no event gets every transfer. */
function withEvent({ streams, ...settings }: NativeTransfers): NativeTransfers {
  if (!streams) return settings
  const webhooks = streams.webhooks.map((webhook) =>
    webhook.events.length > 0 ? webhook : { ...webhook, events: [{ event_name: event }] },
  )
  return { ...settings, streams: { ...streams, webhooks } }
}
