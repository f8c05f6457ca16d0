/** `npm run import -- FOLDER`: fills an empty store from an archive. The service must not run meanwhile. */
import { resolve } from 'node:path'
import { runCommand } from './command.ts'
import { loadConfig } from './config.ts'
import { keyRequest, openForImport } from './open-archive-store.ts'
import { importArchive } from './store/archive.ts'
import { installJobs } from './store/boss.ts'
import { migrate } from './store/migrate.ts'

await runCommand(async (signal) => {
  const folder = process.argv[2]
  if (!folder) throw new Error('Usage: npm run import -- FOLDER')
  const config = loadConfig(process.env)
  const store = await openForImport(config)
  try {
    await migrate(store.url)
    await installJobs(store.url)
    await importArchive(store.url, folder, { log: console.log, signal })
  } finally {
    await store.close()
  }
  console.log(`Imported from ${resolve(folder)}\n${keyRequest(config)}`)
})
