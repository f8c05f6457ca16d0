import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ChildLimits } from './limits.ts'

const child = fileURLToPath(new URL('./child/main.ts', import.meta.url))
const folder = dirname(dirname(child))
const wasm = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')
/** Node looks there for the kind of module that our files are. */
const packageFile = resolve(folder, '../../../package.json')

const shell = '/bin/sh'

/**
 * The command of a child. Should the service be killed while a script hangs, nobody is left to end its process: the
 * system does, when it has used more CPU time than a child in its whole life.
 */
export function childCommand({ cpuSeconds, heapMegabytes }: ChildLimits): { file: string; args: string[] } {
  const args = childArguments(heapMegabytes)
  if (!existsSync(shell)) return { file: process.execPath, args }
  const limit = `ulimit -t ${cpuSeconds}; exec "$0" "$@"`
  return { file: shell, args: ['-c', limit, process.execPath, ...args] }
}

/** It reads its own few files, writes nothing, starts nothing, and keeps a small heap. */
function childArguments(heapMegabytes: number): string[] {
  const has = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag)
  const permission = ['--permission', '--experimental-permission'].find(has)
  const readable = [folder, wasm, packageFile].map((path) => `--allow-fs-read=${path}`)
  return [
    ...(permission ? [permission, ...readable] : []),
    ...(has('--experimental-strip-types') ? ['--experimental-strip-types'] : []),
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--expose-gc',
    `--max-old-space-size=${heapMegabytes}`,
    child,
    wasm,
  ]
}
