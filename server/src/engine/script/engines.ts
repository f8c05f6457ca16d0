import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { type ChildEngine, childCommand } from './child-command.ts'
import { childLimits } from './limits.ts'

/** `auto` means `isolated-vm` if it works on this machine, else `quickjs`. */
export type EngineChoice = 'quickjs' | 'isolated-vm' | 'auto'

const { resolve } = createRequire(import.meta.url)

/** QuickJS is part of the service. Throws if the operator chose `isolated-vm` and it does not work here. */
export function chooseEngine(choice: EngineChoice): ChildEngine {
  const wasm = resolve('quickjs-wasi/quickjs.wasm')
  const quickjs: ChildEngine = { name: 'quickjs', files: [wasm] }
  if (choice === 'quickjs') return quickjs
  const isolatedVm = findIsolatedVm(wasm)
  if (typeof isolatedVm === 'object') return isolatedVm
  if (choice === 'auto') return quickjs
  throw new Error(`SCRIPT_ENGINE is isolated-vm, which cannot run scripts here: ${isolatedVm}`)
}

const howToInstall =
  'it is not installed. Run `npm install isolated-vm` in a folder of its own and set NODE_PATH to its node_modules, or leave SCRIPT_ENGINE out.'

/** Returns the engine if the package is installed and a child can run with it, else the reason. */
function findIsolatedVm(wasm: string): ChildEngine | string {
  const binary = findBinary()
  if (!binary) return howToInstall
  const engine: ChildEngine = { name: 'isolated-vm', files: [wasm, binary] }
  const { file, args, env } = childCommand(engine, childLimits)
  const { status, stderr, error } = spawnSync(file, args, { env, input: '', encoding: 'utf8', timeout: 30_000 })
  if (status === 0) return engine
  return /^.*Error.*$/m.exec(stderr)?.[0] ?? error?.message ?? 'its process did not start'
}

/** Finds the package's binary for this machine. The children load no other file of the package. */
function findBinary(): string | undefined {
  try {
    const main = resolve('isolated-vm')
    const builds: { path(folder: string): string } = createRequire(main)('node-gyp-build')
    return builds.path(dirname(main))
  } catch {
    return undefined
  }
}
