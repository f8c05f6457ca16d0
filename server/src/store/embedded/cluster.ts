import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { Layout } from './layout.ts'
import { readIfPresent, syncFolder, writePrivateFile } from './private-file.ts'
import { runProgram } from './program.ts'
import type { RunAs } from './run-as.ts'

/** Makes sure that there is a database cluster that opens with the kept password. */
export async function ensureCluster(layout: Layout, binaries: Binaries, runAs: RunAs): Promise<void> {
  removeLeftovers(layout)
  if (existsSync(layout.cluster)) return
  if (!readIfPresent(layout.password)) writePrivateFile(layout.password, randomBytes(24).toString('hex'))
  await initialiseAside(layout, binaries, runAs)
}

export function requirePassword(layout: Layout): string {
  const password = readIfPresent(layout.password)
  if (password) return password
  throw new Error(`The password of the embedded PostgreSQL is missing: ${layout.password} must lie beside its data.`)
}

/**
 * A killed first start leaves a folder aside and never half a cluster: the rename is the one step that counts, and
 * initdb has synced every file before it. The name is new each time, for an initdb may outlive the process that ran it.
 */
async function initialiseAside(layout: Layout, binaries: Binaries, runAs: RunAs): Promise<void> {
  const aside = join(layout.home, `${asidePrefix}${randomBytes(6).toString('hex')}`)
  const passwordFile = join(aside, 'password')
  mkdirSync(aside, { mode: 0o700 })
  writeFileSync(passwordFile, requirePassword(layout), { mode: 0o600 })
  runAs.own(aside)
  const made = join(aside, 'cluster')
  await runProgram(binaries.initdb, ['-D', made, `--pwfile=${passwordFile}`, ...initOptions], runAs)
  syncFolder(aside)
  renameSync(made, layout.cluster)
  syncFolder(layout.home)
  rmSync(aside, { recursive: true, force: true })
}

const asidePrefix = 'init-'

/** The built-in locale sorts by code point and folds case in all of Unicode, the same on every machine. */
const initOptions = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

/** An orphaned initdb may still be writing into one: what cannot go now goes at the next start. */
function removeLeftovers(layout: Layout): void {
  for (const name of readdirSync(layout.home)) {
    if (name.startsWith(asidePrefix)) removeIfPossible(join(layout.home, name))
  }
}

function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {}
}
