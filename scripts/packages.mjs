import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { locksFolder, modulesFolder, root } from './paths.mjs'
import { readStamp, stampOf } from './stamp.mjs'

/** The published packages. Each is compiled against the built declarations of those before it. */
const packages = ['contract', 'sdk', 'cli']
const sources = [
  ...packages.flatMap((name) => [`${name}/src`, `${name}/package.json`, `${name}/tsconfig.build.json`]),
  ...['LICENSE', 'package-lock.json', 'scripts/packages.mjs', 'tsconfig.json', 'tsconfig.packages.json'],
]
/** The stamp is in the package that is built last, so it says that all are built. */
const stampFile = join(root, 'cli', 'dist', '.stamp')

/** Builds the published packages into `dist`, as ES modules with declarations, if their inputs have changed. */
export async function ensurePackages(node) {
  await withLock(join(locksFolder, 'packages'), async () => {
    const stamp = stampOf(sources)
    if (readStamp(stampFile) === stamp) return
    rmSync(stampFile, { force: true })
    for (const name of packages) await buildPackage(node, join(root, name))
    writeFileSync(stampFile, stamp)
  })
}

/** Builds into a folder beside `dist` and renames it, so that a killed build leaves nothing that looks complete. */
async function buildPackage(node, folder) {
  console.error(`Building ${folder}`)
  const [aside, dist] = [join(folder, '.tmp'), join(folder, 'dist')]
  rmSync(aside, { recursive: true, force: true })
  const tsc = join(modulesFolder, 'typescript', 'bin', 'tsc')
  await runQuietly([node, tsc, '-p', join(folder, 'tsconfig.build.json'), '--outDir', aside], { cwd: root })
  for (const file of readdirSync(aside, { recursive: true })) {
    if (file.endsWith('.d.ts')) nameBuiltFiles(join(aside, file))
  }
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  rmSync(dist, { recursive: true, force: true })
  renameSync(aside, dist)
}

/** The compiler writes `./file.js` for `./file.ts` into modules, but not into declarations. Older compilers need it there too. */
function nameBuiltFiles(declarations) {
  const text = readFileSync(declarations, 'utf8')
  writeFileSync(declarations, text.replace(/((?:from |import\()['"]\.[^'"]+)\.ts(?=['"])/g, '$1.js'))
}
