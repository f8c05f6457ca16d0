/** `npm run export -- FOLDER`: writes all data as files, also while the service runs. */
import { resolve } from 'node:path'
import { loadConfig } from './config.ts'
import { keyReminder, openForExport } from './open-archive-store.ts'
import { exportArchive } from './store/archive.ts'

const folder = process.argv[2]
try {
  if (!folder) throw new Error('Usage: npm run export -- FOLDER')
  const config = loadConfig(process.env)
  const store = await openForExport(config)
  try {
    await exportArchive(store.url, folder, console.log)
  } finally {
    await store.close()
  }
  console.log(`Exported to ${resolve(folder)}\n${keyReminder(config)}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
