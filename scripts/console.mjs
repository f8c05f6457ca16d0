import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { locksFolder, root, runtimeFolder } from './paths.mjs'
import { typeScriptFlags } from './runtime.mjs'
import { readStamp, stampOf } from './stamp.mjs'

/** The inputs of the console build. The lockfile represents the packages. */
const sources = ['console', 'sdk/src', 'contract/src', 'package-lock.json']
const built = join(root, 'console', 'dist')
/** The stamp is inside the build, so that removing the build removes the stamp. */
const stampFile = join(built, '.stamp')

/** Builds the console if its inputs have changed since the last build. */
export async function ensureConsole(node) {
  if (isBuilt()) return
  await withLock(join(locksFolder, 'console'), async () => {
    if (!isBuilt()) await build(node)
  })
}

function isBuilt() {
  return readStamp(stampFile) === stampOf(sources)
}

/** Builds into a temporary folder and renames it, so that a killed build leaves nothing that looks complete. */
async function build(node) {
  console.error('Building the console')
  const stamp = stampOf(sources)
  const aside = join(runtimeFolder, 'console')
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  const script = join(root, 'console', 'scripts', 'build.mjs')
  const env = { ...process.env, NODE_ENV: 'production' }
  await runQuietly([node, ...typeScriptFlags(node), script, aside], { cwd: root, env })
  writeFileSync(join(aside, '.stamp'), stamp)
  rmSync(built, { recursive: true, force: true })
  renameSync(aside, built)
}
