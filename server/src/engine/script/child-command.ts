import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ChildLimits } from './limits.ts'

const child = fileURLToPath(new URL('./child/main.ts', import.meta.url))
const folder = dirname(dirname(child))
/** Node reads the module type of our files from it. */
const packageFile = resolve(folder, '../../../package.json')

/** The module of the JavaScript engine. */
const quickjs = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')

const shell = '/bin/sh'

export type ChildCommand = { file: string; args: string[]; env: Record<string, string> }

/**
 * The command that starts a child. If the service is killed while a script hangs, the service cannot end the child. The
 * operating system then does, by a CPU limit above what a child uses in its whole life.
 */
export function childCommand({ cpuSeconds, heapMegabytes }: ChildLimits): ChildCommand {
  const args = [...nodeArguments(heapMegabytes), child, quickjs]
  const env = { TZ: 'UTC' }
  if (!existsSync(shell)) return { file: process.execPath, args, env }
  const limit = `ulimit -t ${cpuSeconds}; exec "$0" "$@"`
  return { file: shell, args: ['-c', limit, process.execPath, ...args], env }
}

/** The child may only read its own files. It may not write files or start processes, and its heap is small. */
function nodeArguments(heapMegabytes: number): string[] {
  const has = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag)
  const permission = ['--permission', '--experimental-permission'].find(has)
  const readable = [folder, packageFile, quickjs].map((path) => `--allow-fs-read=${path}`)
  return [
    ...(permission ? [permission, ...readable] : []),
    ...(has('--experimental-strip-types') ? ['--experimental-strip-types'] : []),
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    `--max-old-space-size=${heapMegabytes}`,
  ]
}
