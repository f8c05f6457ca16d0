/**
 * `npm run backup -- FILE [--no-check]`: writes all data into one file, also while the service runs. Unless `--no-check` is
 * given, it restores the file into an empty store and compares the two.
 */
import { resolve } from 'node:path'
import { readArguments, runCommand } from './command.ts'
import { loadConfig } from './config.ts'
import { archiveSigner, keyReminder, openForExport } from './open-archive-store.ts'
import { showProgress } from './progress.ts'
import { writeBackup } from './store/archive/backup.ts'

const usage = 'Usage: npm run backup -- FILE [--no-check]'

await runCommand(async (signal) => {
  const { positionals, values } = readArguments(usage, { 'no-check': { type: 'boolean' } })
  const [file] = positionals
  if (!file) throw new Error(usage)
  const config = loadConfig(process.env)
  const store = await openForExport(config)
  try {
    const { log, show: progress } = showProgress('Exporting')
    const options = { log, progress, signal, sign: archiveSigner(config) }
    await writeBackup(store.url, file, { ...options, check: !values['no-check'] })
  } finally {
    await store.close()
  }
  console.log(`Backup written to ${resolve(file)}\n${keyReminder(config)}`)
})
