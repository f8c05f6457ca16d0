/**
 * `npm run import -- FOLDER [--unverified]`: fills an empty store from an archive. The service must not run meanwhile. The archive must be
 * signed by the service's key, unless `--unverified` is given.
 */
import { resolve } from 'node:path'
import { readArguments, runCommand } from './command.ts'
import { loadConfig } from './config.ts'
import { openForImport, requireSigner } from './open-archive-store.ts'
import { showProgress } from './progress.ts'
import { importArchive } from './store/archive/import-archive.ts'
import { migrate } from './store/core/migrate.ts'
import { installJobs } from './store/jobs/job-queue.ts'

const usage = 'Usage: npm run import -- FOLDER [--unverified]'

await runCommand(async (signal) => {
  const { positionals, values } = readArguments(usage, { unverified: { type: 'boolean' } })
  const { log, show: progress } = showProgress('Importing')
  const folder = positionals[0]
  if (!folder) throw new Error(usage)
  const unverifiedCommand = `npm run import -- ${folder} --unverified`
  const config = loadConfig(process.env)
  const sign = values.unverified ? undefined : requireSigner(config, unverifiedCommand)
  const store = await openForImport(config)
  try {
    await migrate(store.url)
    await installJobs(store.url)
    await importArchive(store.url, folder, { log, progress, signal, sign, unverifiedCommand })
  } finally {
    await store.close()
  }
  console.log(`Imported from ${resolve(folder)}`)
})
