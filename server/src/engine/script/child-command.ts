import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ChildLimits } from './limits.ts'

const child = fileURLToPath(new URL('./child/main.ts', import.meta.url))
const folder = dirname(dirname(child))
/** Node reads the module type of our files from it. */
const packageFile = resolve(folder, '../../../package.json')

const shell = '/bin/sh'

/** The JavaScript engine of a child, and its files: QuickJS's module and, for isolated-vm, its native binary. */
export type ChildEngine = { name: 'quickjs' | 'isolated-vm'; files: string[] }

export type ChildCommand = { file: string; args: string[]; env: Record<string, string> }

/**
 * The command that starts a child. If the service is killed while a script hangs, the service cannot end the child. The
 * operating system then does, by a CPU limit above what a child uses in its whole life.
 */
export function childCommand(engine: ChildEngine, { cpuSeconds, heapMegabytes }: ChildLimits): ChildCommand {
  const args = [...nodeArguments(engine, heapMegabytes), child, ...engine.files]
  const env = { TZ: 'UTC' }
  if (!existsSync(shell)) return { file: process.execPath, args, env }
  const limit = `ulimit -t ${cpuSeconds}; exec "$0" "$@"`
  return { file: shell, args: ['-c', limit, process.execPath, ...args], env }
}

/** The child may only read its own files. It may not write files or start processes, and its heap is small. */
function nodeArguments(engine: ChildEngine, heapMegabytes: number): string[] {
  const has = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag)
  const permission = ['--permission', '--experimental-permission'].find(has)
  const readable = [folder, packageFile, ...engine.files].map((path) => `--allow-fs-read=${path}`)
  const isNative = engine.name === 'isolated-vm'
  return [
    ...(permission ? [permission, ...readable] : []),
    ...(permission && isNative && has('--allow-addons') ? ['--allow-addons'] : []),
    // isolated-vm cannot create isolates from Node's startup snapshot.
    ...(isNative ? ['--no-node-snapshot'] : []),
    ...(has('--experimental-strip-types') ? ['--experimental-strip-types'] : []),
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    `--max-old-space-size=${heapMegabytes}`,
  ]
}
