/**
 * `npm run import -- FOLDER [--unverified]`: fills an empty store from an archive. The service must not run meanwhile. The archive must be
 * signed by the service's key, unless `--unverified` is given.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand } from './command.ts'
import { loadConfig } from './config.ts'
import { openForImport, requireSigner } from './open-archive-store.ts'
import { importArchive } from './store/archive/import-archive.ts'
import { migrate } from './store/core/migrate.ts'
import { installJobs } from './store/jobs/job-queue.ts'

await runCommand(async (signal) => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { unverified: { type: 'boolean' } } })
  const folder = positionals[0]
  if (!folder) throw new Error('Usage: npm run import -- FOLDER [--unverified]')
  const config = loadConfig(process.env)
  const sign = values.unverified ? undefined : requireSigner(config)
  const store = await openForImport(config)
  try {
    await migrate(store.url)
    await installJobs(store.url)
    await importArchive(store.url, folder, { log: console.log, signal, sign })
  } finally {
    await store.close()
  }
  console.log(`Imported from ${resolve(folder)}`)
})
