import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { childCommand } from './child-command.ts'
import { childLimits } from './limits.ts'

/** `auto` is `isolated-vm` where that works, else `quickjs`. */
export type EngineChoice = 'quickjs' | 'isolated-vm' | 'auto'

/** What the children run scripts with, and the files that it is in: QuickJS's module, and isolated-vm's binary. */
export type ChildEngine = { name: 'quickjs' | 'isolated-vm'; files: string[] }

const { resolve } = createRequire(import.meta.url)

/** QuickJS comes with the service. Whoever asks for `isolated-vm` and nothing else is told when it does not work. */
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

/** It is there when its package is installed and a child works with it; else why it is not. */
function findIsolatedVm(wasm: string): ChildEngine | string {
  const binary = findBinary()
  if (!binary) return howToInstall
  const engine: ChildEngine = { name: 'isolated-vm', files: [wasm, binary] }
  const { file, args, env } = childCommand(engine, childLimits)
  const { status, stderr, error } = spawnSync(file, args, { env, input: '', encoding: 'utf8', timeout: 30_000 })
  if (status === 0) return engine
  return /^.*Error.*$/m.exec(stderr)?.[0] ?? error?.message ?? 'its process does not start'
}

/** The binary for this machine alone: the children load nothing else of the package. */
function findBinary(): string | undefined {
  try {
    const main = resolve('isolated-vm')
    const builds: { path(folder: string): string } = createRequire(main)('node-gyp-build')
    return builds.path(dirname(main))
  } catch {
    return undefined
  }
}
