/**
 * `npm run restore -- FILE [--unverified]`: fills an empty store from a backup. The service must not run meanwhile. The
 * backup must be signed by the service's key, unless `--unverified` is given.
 */
import { resolve } from 'node:path'
import { readArguments, runCommand } from './command.ts'
import { loadConfig } from './config.ts'
import { openForImport, requireSigner } from './open-archive-store.ts'
import { showProgress } from './progress.ts'
import { restoreBackup } from './store/archive/backup.ts'

const usage = 'Usage: npm run restore -- FILE [--unverified]'

await runCommand(async (signal) => {
  const { positionals, values } = readArguments(usage, { unverified: { type: 'boolean' } })
  const { log, show: progress } = showProgress('Restoring')
  const [file] = positionals
  if (!file) throw new Error(usage)
  const unverifiedCommand = `npm run restore -- ${file} --unverified`
  const config = loadConfig(process.env)
  const sign = values.unverified ? undefined : requireSigner(config, unverifiedCommand)
  const store = await openForImport(config)
  try {
    await restoreBackup(store.url, file, { log, progress, signal, sign, unverifiedCommand })
  } finally {
    await store.close()
  }
  console.log(`Restored from ${resolve(file)}`)
})
