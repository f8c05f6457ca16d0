import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { locksFolder, root, runtimeFolder } from './paths.mjs'
import { typeScriptFlags } from './runtime.mjs'

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
  return readStamp() === wantedStamp()
}

/** Builds into a temporary folder and renames it, so that a killed build leaves nothing that looks complete. */
async function build(node) {
  console.error('Building the console')
  const stamp = wantedStamp()
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

function wantedStamp() {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesAt(join(root, source)))) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return `${hash.digest('hex')}\n`
}

/** The source files in an order that is the same on every machine, without built or installed files. */
function filesAt(path) {
  let entries
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    throw error
  }
  return entries
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => filesAt(join(path, name)))
}

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return undefined
  }
}
