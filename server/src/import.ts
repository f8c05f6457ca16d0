/** `npm run import -- FOLDER`: fills an empty store from an archive. The service must not run meanwhile. */
import { resolve } from 'node:path'
import { loadConfig } from './config.ts'
import { keyRequest, openForImport } from './open-archive-store.ts'
import { importArchive } from './store/archive.ts'
import { installJobs } from './store/boss.ts'
import { migrate } from './store/migrate.ts'

const folder = process.argv[2]
try {
  if (!folder) throw new Error('Usage: npm run import -- FOLDER')
  const config = loadConfig(process.env)
  const store = await openForImport(config)
  try {
    await migrate(store.url)
    await installJobs(store.url)
    await importArchive(store.url, folder, console.log)
  } finally {
    await store.close()
  }
  console.log(`Imported from ${resolve(folder)}\n${keyRequest(config)}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
