/** `npm run export -- FOLDER`: writes all data as files, also while the service runs. */
import { resolve } from 'node:path'
import { readArguments, runCommand } from './command.ts'
import { loadConfig } from './config.ts'
import { archiveSigner, keyReminder, openForExport } from './open-archive-store.ts'
import { showProgress } from './progress.ts'
import { exportArchive } from './store/archive/export-archive.ts'

const usage = 'Usage: npm run export -- FOLDER'

await runCommand(async (signal) => {
  const { positionals } = readArguments(usage, {})
  const [folder] = positionals
  if (!folder) throw new Error(usage)
  const config = loadConfig(process.env)
  const { log, show: progress } = showProgress('Exporting')
  const sign = archiveSigner(config)
  const store = await openForExport(config)
  try {
    await exportArchive(store.url, folder, { log, progress, signal, sign })
  } finally {
    await store.close()
  }
  if (!sign) console.log('The service has no key, so the archive is not signed.')
  console.log(`Exported to ${resolve(folder)}\n${keyReminder(config)}`)
})
