import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { npmCommand } from './npm.mjs'
import { locksFolder, modulesFolder, root } from './paths.mjs'
import { chooseNode } from './runtime.mjs'
import { ensureWeb } from './web.mjs'

/** Installs everything that is needed and returns the Node to run with. An error is printed without a stack trace. */
export async function prepare({ dev, web = false }) {
  try {
    const node = await chooseNode()
    await ensureInstalled(node, { dev })
    if (web) await ensureWeb(node)
    return node
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

/** The stamp is inside node_modules: `npm ci` begins by removing the folder, and so removes the stamp. */
const stampFile = join(modulesFolder, '.tocsin-installed')

/** Installs what the lockfile asks for, unless it is installed already. */
async function ensureInstalled(node, { dev }) {
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
  console.error(`Installing dependencies (${dev ? 'all' : 'runtime only'})`)
  // Both flags are explicit: NODE_ENV=production must not leave out the development packages that tests need.
  await runQuietly(npmCommand(node, 'ci', dev ? '--include=dev' : '--omit=dev'), { cwd: root })
  writeFileSync(stampFile, wantedStamp(dev ? 'all' : 'runtime'))
}

/** The stamp contains the platform, because native packages differ: a folder copied to another machine is installed again. */
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
