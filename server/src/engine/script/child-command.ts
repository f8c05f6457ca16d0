import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ChildEngine } from './engines.ts'
import type { ChildLimits } from './limits.ts'

const child = fileURLToPath(new URL('./child/main.ts', import.meta.url))
const folder = dirname(dirname(child))
/** Node looks there for the kind of module that our files are. */
const packageFile = resolve(folder, '../../../package.json')

const shell = '/bin/sh'

export type ChildCommand = { file: string; args: string[]; env: Record<string, string> }

/**
 * The command of a child. Should the service be killed while a script hangs, nobody is left to end its process: the
 * system does, when it has used more CPU time than a child in its whole life.
 */
export function childCommand(engine: ChildEngine, { cpuSeconds, heapMegabytes }: ChildLimits): ChildCommand {
  const args = [...nodeArguments(engine, heapMegabytes), child, ...engine.files]
  const env = { TZ: 'UTC' }
  if (!existsSync(shell)) return { file: process.execPath, args, env }
  const limit = `ulimit -t ${cpuSeconds}; exec "$0" "$@"`
  return { file: shell, args: ['-c', limit, process.execPath, ...args], env }
}

/** It reads its own few files, writes nothing, starts nothing, and keeps a small heap. */
function nodeArguments(engine: ChildEngine, heapMegabytes: number): string[] {
  const has = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag)
  const permission = ['--permission', '--experimental-permission'].find(has)
  const readable = [folder, packageFile, ...engine.files].map((path) => `--allow-fs-read=${path}`)
  const isNative = engine.name === 'isolated-vm'
  return [
    ...(permission ? [permission, ...readable] : []),
    ...(permission && isNative && has('--allow-addons') ? ['--allow-addons'] : []),
    // Isolates beside the one of Node do not start from its snapshot.
    ...(isNative ? ['--no-node-snapshot'] : []),
    ...(has('--experimental-strip-types') ? ['--experimental-strip-types'] : []),
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    `--max-old-space-size=${heapMegabytes}`,
  ]
}
