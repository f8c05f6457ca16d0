import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { locksFolder, root, runtimeFolder } from './paths.mjs'
import { typeScriptFlags } from './runtime.mjs'

/** What the console is built from. The lockfile stands for the packages. */
const sources = ['console', 'sdk/src', 'contract/src', 'package-lock.json']
const built = join(root, 'console', 'dist')
/** Inside what it vouches for: whoever removes the build removes the stamp. */
const stampFile = join(built, '.stamp')

/** Builds the console when what it is made of has changed since the last time. */
export async function ensureConsole(node) {
  if (isBuilt()) return
  await withLock(join(locksFolder, 'console'), async () => {
    if (!isBuilt()) await build(node)
  })
}

function isBuilt() {
  return readStamp() === wantedStamp()
}

/** Built aside and renamed: a build that is killed leaves nothing that looks whole. */
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

/** In an order that every machine agrees on; what is built or installed is not a source. */
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
