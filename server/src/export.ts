/** `npm run export -- FOLDER`: writes all data as files, also while the service runs. */
import { resolve } from 'node:path'
import { runCommand } from './command.ts'
import { loadConfig } from './config.ts'
import { archiveSigner, keyReminder, openForExport } from './open-archive-store.ts'
import { exportArchive } from './store/archive/export-archive.ts'

await runCommand(async (signal) => {
  const folder = process.argv[2]
  if (!folder) throw new Error('Usage: npm run export -- FOLDER')
  const config = loadConfig(process.env)
  const sign = archiveSigner(config)
  const store = await openForExport(config)
  try {
    await exportArchive(store.url, folder, { log: console.log, signal, sign })
  } finally {
    await store.close()
  }
  if (!sign) console.log('The service has no key, so the archive is not signed.')
  console.log(`Exported to ${resolve(folder)}\n${keyReminder(config)}`)
})
