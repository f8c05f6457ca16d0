/**
 * `npm run restore -- FILE [--unverified]`: fills an empty store from a backup. The service must not run meanwhile. The
 * backup must be signed by the service's key, unless `--unverified` is given.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand } from './command.ts'
import { loadConfig } from './config.ts'
import { openForImport, requireSigner } from './open-archive-store.ts'
import { restoreBackup } from './store/archive/backup.ts'

await runCommand(async (signal) => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { unverified: { type: 'boolean' } } })
  const [file] = positionals
  if (!file) throw new Error('Usage: npm run restore -- FILE [--unverified]')
  const config = loadConfig(process.env)
  const sign = values.unverified ? undefined : requireSigner(config)
  const store = await openForImport(config)
  try {
    await restoreBackup(store.url, file, { log: console.log, signal, sign })
  } finally {
    await store.close()
  }
  console.log(`Restored from ${resolve(file)}`)
})
