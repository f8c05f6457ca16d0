import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readForeign } from '../foreign-files.ts'
import type { Importer } from '../importer.ts'
import { Names } from '../names.ts'
import { Notes } from '../notes.ts'
import { importChannels } from './channels.ts'
import { sortResources } from './files.ts'
import { importMonitor } from './monitors.ts'
import { importNetworks, sourceOf } from './networks.ts'
import { readMonitor } from './read-monitor.ts'
import { fillIn } from './variables.ts'

/** Imports monitors, channels and networks of OpenZeppelin Defender: its serverless files, and answers of its API. */
export const importDefender: Importer = async (path, into) => {
  const { workspace } = into
  const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : resolve(path, '..')
  const files = readForeign(path).map((file) => ({ ...file, value: fillIn(file.value, resolve(folder, file.path)) }))
  const { monitors, notifications, networks, others } = sortResources(files)
  const notes = new Notes()
  const project = notes.addProject(into, 'OpenZeppelin Defender')
  const made = importNetworks(networks, workspace, notes)
  const channels = importChannels(notifications, workspace, notes)
  const place = { workspace, project, triggers: new Names() }
  for (const fields of monitors) {
    const monitor = readMonitor(fields)
    const differences: string[] = []
    const source = sourceOf(monitor.network, made, workspace, differences)
    importMonitor(monitor, source, channels, place, notes, differences)
  }
  for (const other of others) notes.impossible(other, 'Tocsin sends alerts; it does not run code or send transactions')
  return notes.imported()
}
