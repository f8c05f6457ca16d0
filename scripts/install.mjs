import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { npmCommand } from './npm.mjs'
import { locksFolder, modulesFolder, root } from './paths.mjs'

/** Inside what it vouches for: whoever removes node_modules removes the stamp, and `npm ci` begins by doing so. */
const stampFile = join(modulesFolder, '.tocsin-installed')

/** Brings node_modules to what the lockfile asks for, unless it is there already. */
export async function ensureInstalled(node, { dev }) {
  if (isInstalled(dev)) return
  await withLock(join(locksFolder, 'modules'), async () => {
    if (!isInstalled(dev)) await install(node, dev)
  })
}

function isInstalled(dev) {
  const stamp = readStamp()
  return stamp === wantedStamp('all') || (!dev && stamp === wantedStamp('runtime'))
}

async function install(node, dev) {
  console.error(`Installing dependencies (${dev ? 'all of them' : 'only what the service runs with'})`)
  // Said both ways: NODE_ENV=production must not take the checkers from under the tests.
  await runQuietly(npmCommand(node, 'ci', dev ? '--include=dev' : '--omit=dev'), { cwd: root })
  writeFileSync(stampFile, wantedStamp(dev ? 'all' : 'runtime'))
}

/** Native packages are chosen for a platform, so a folder carried to another machine is installed anew. */
function wantedStamp(extent) {
  const lockfile = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return `${lockfile} ${process.platform}-${process.arch} ${extent}\n`
}

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return undefined
  }
}
