import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { locksFolder, root, runtimeFolder } from './paths.mjs'
import { typeScriptFlags } from './runtime.mjs'
import { readStamp, stampOf } from './stamp.mjs'

/**
 * What the service serves to browsers. Each part is a folder whose script builds it into `dist` from the given sources.
 * The lockfile represents the packages.
 */
const parts = {
  console: {
    title: 'the console',
    script: 'console/scripts/build.mjs',
    sources: ['console', 'sdk/src', 'contract/src', 'package-lock.json'],
  },
  site: {
    title: 'the docs site',
    script: 'site/build.mjs',
    sources: [
      ...['site', 'docs', 'examples', 'console/public/bell.svg', 'package-lock.json'],
      ...['server/src/api/reference/page.css', 'server/src/api/reference/scheme.js'],
    ],
  },
}

/** Builds the given parts if their sources have changed since the last build. */
export async function ensureWeb(node, names = Object.keys(parts)) {
  for (const name of names) {
    if (isBuilt(name)) continue
    await withLock(join(locksFolder, name), async () => {
      if (!isBuilt(name)) await build(node, name)
    })
  }
}

function isBuilt(name) {
  return readStamp(stampFile(join(root, name, 'dist'))) === stampOf(parts[name].sources)
}

/** The stamp is inside the build, so that removing the build removes the stamp. */
function stampFile(folder) {
  return join(folder, '.stamp')
}

/** Builds into a temporary folder and renames it, so that a killed build leaves nothing that looks complete. */
async function build(node, name) {
  const { title, script, sources } = parts[name]
  console.error(`Building ${title}`)
  const stamp = stampOf(sources)
  const [aside, built] = [join(runtimeFolder, name), join(root, name, 'dist')]
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  const env = { ...process.env, NODE_ENV: 'production' }
  await runQuietly([node, ...typeScriptFlags(node), join(root, script), aside], { cwd: root, env })
  writeFileSync(stampFile(aside), stamp)
  rmSync(built, { recursive: true, force: true })
  renameSync(aside, built)
}
