import { isRecord } from '../../folder/paths.ts'
import type { Importer } from '../importer.ts'
import { Names } from '../names.ts'
import { Notes } from '../notes.ts'
import { importContract } from './contracts.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { importNativeTransfers } from './native-transfers.ts'
import { importNetworks } from './networks.ts'

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
