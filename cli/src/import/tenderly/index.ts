import { readForeign } from '../foreign-files.ts'
import type { Importer } from '../importer.ts'
import { Names } from '../names.ts'
import { Notes } from '../notes.ts'
import { importAlert } from './alerts.ts'
import { importChannels } from './channels.ts'
import { sortFiles } from './files.ts'

/** Imports the alerts and delivery channels that the API of Tenderly returns. ABIs beside them tell parameters. */
export const importTenderly: Importer = async (path, into) => {
  const { alerts, channels, abi } = sortFiles(readForeign(path))
  const notes = new Notes()
  const { workspace } = into
  const project = notes.addProject(into, 'Tenderly')
  const made = importChannels(channels, workspace, notes)
  const context = { workspace, project, notes, names: new Names(), channels: made, abi }
  for (const alert of alerts) importAlert(alert, context)
  return notes.imported()
}
