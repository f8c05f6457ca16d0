import { readForeign } from '../foreign-files.ts'
import type { Importer } from '../importer.ts'
import { Names } from '../names.ts'
import { Notes } from '../notes.ts'
import { importChannels } from './channels.ts'
import { sortFiles } from './files.ts'
import { importMonitor } from './monitors.ts'
import { importNetworks } from './networks.ts'

/** Imports the configuration of OpenZeppelin Monitor: its networks, channels and monitors. */
export const importOpenZeppelinMonitor: Importer = async (path, into) => {
  const { networks, channels, monitors } = sortFiles(readForeign(path))
  const notes = new Notes()
  const { workspace } = into
  const project = notes.addProject(into, 'OpenZeppelin Monitor')
  const sources = importNetworks(networks, workspace, notes)
  const resources = importChannels(channels, workspace, notes)
  const place = { workspace, project, triggers: new Names(), keys: new Names() }
  for (const monitor of monitors) importMonitor(monitor, sources, resources, place, notes)
  return notes.imported()
}
