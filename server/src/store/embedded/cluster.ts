import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readIfPresent, syncFolder, writePrivateFile } from '../core/data-folder.ts'
import type { Binaries } from './binaries.ts'
import type { Layout } from './layout.ts'
import { runProgram } from './program.ts'
import type { RunAs } from './run-as.ts'

/** Creates the database cluster if it is missing, with the stored password. */
export async function ensureCluster(layout: Layout, binaries: Binaries, runAs: RunAs): Promise<void> {
  removeLeftovers(layout)
  if (existsSync(layout.cluster)) return
  if (!readIfPresent(layout.password)) writePrivateFile(layout.password, randomBytes(24).toString('hex'))
  await initialiseCluster(layout, binaries, runAs)
}

export function requirePassword(layout: Layout): string {
  const password = readIfPresent(layout.password)
  if (password) return password
  throw new Error(`The password of the embedded PostgreSQL is missing: ${layout.password} must be beside its data.`)
}

/**
 * Creates the cluster in a temporary folder and renames it, so that a killed first start never leaves half a cluster.
 * initdb syncs every file before the rename. The folder's name is new each time, because an initdb may outlive the
 * process that started it.
 */
async function initialiseCluster(layout: Layout, binaries: Binaries, runAs: RunAs): Promise<void> {
  const temporary = join(layout.home, `${temporaryPrefix}${randomBytes(6).toString('hex')}`)
  const passwordFile = join(temporary, 'password')
  mkdirSync(temporary, { mode: 0o700 })
  writeFileSync(passwordFile, requirePassword(layout), { mode: 0o600 })
  runAs.own(temporary)
  const made = join(temporary, 'cluster')
  await runProgram(binaries.initdb, ['-D', made, `--pwfile=${passwordFile}`, ...initOptions], runAs)
  syncFolder(temporary)
  renameSync(made, layout.cluster)
  syncFolder(layout.home)
  rmSync(temporary, { recursive: true, force: true })
}

const temporaryPrefix = 'init-'

/** The built-in locale sorts by code point and folds case for all of Unicode, the same on every machine. */
const initOptions = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

/** An orphaned initdb may still write into a folder. A folder that cannot be removed now is removed at the next start. */
function removeLeftovers(layout: Layout): void {
  for (const name of readdirSync(layout.home)) {
    if (name.startsWith(temporaryPrefix)) removeIfPossible(join(layout.home, name))
  }
}

function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {}
}
