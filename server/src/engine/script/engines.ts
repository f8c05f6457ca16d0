import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { childCommand } from './child-command.ts'
import { childLimits } from './limits.ts'

/** `auto` is `isolated-vm` where that works, else `quickjs`. */
export type EngineChoice = 'quickjs' | 'isolated-vm' | 'auto'

/** What the children run scripts with, and the one file that it is in. */
export type ChildEngine = { name: 'quickjs' | 'isolated-vm'; file: string }

const { resolve } = createRequire(import.meta.url)

/** QuickJS comes with the service. Whoever asks for `isolated-vm` and nothing else is told when it does not work. */
export function chooseEngine(choice: EngineChoice): ChildEngine {
  const quickjs: ChildEngine = { name: 'quickjs', file: resolve('quickjs-wasi/quickjs.wasm') }
  if (choice === 'quickjs') return quickjs
  const isolatedVm = findIsolatedVm()
  if (typeof isolatedVm === 'object') return isolatedVm
  if (choice === 'auto') return quickjs
  throw new Error(`SCRIPT_ENGINE is isolated-vm, which cannot run scripts here: ${isolatedVm}`)
}

/** It is there when its package is installed and a child works with it; else why it is not. */
function findIsolatedVm(): ChildEngine | string {
  const file = findBinary()
  if (!file) return 'it is not installed'
  const engine: ChildEngine = { name: 'isolated-vm', file }
  const { file: command, args, env } = childCommand(engine, childLimits)
  const { status, stderr, error } = spawnSync(command, args, { env, input: '', encoding: 'utf8', timeout: 30_000 })
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
