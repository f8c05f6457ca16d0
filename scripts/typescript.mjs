import { join } from 'node:path'
import { modulesFolder, root } from './paths.mjs'
import { typeScriptFlags } from './runtime.mjs'

/** Young objects get 16 MB and no more: a service that idles keeps what its busiest moment took. */
export const serviceFlags = ['--max-semi-space-size=16']

/**
 * Pictures are decoded on several threads, and glibc gives each thread an arena of its own that it never returns: after 64 large uploads
 * the service held 600 MB; with two arenas it holds 240 MB.
 */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '2' }

/** The command line and options that run one of our TypeScript files; compiled code is kept, so a warm start is fast. */
export function typeScriptCommand(node, file, args = [], flags = []) {
  const command = [node, ...typeScriptFlags(node), ...flags, join(root, file), ...args]
  const cache = process.env.NODE_COMPILE_CACHE ?? join(modulesFolder, '.cache', 'compiled')
  return [command, { cwd: root, env: { ...serviceEnvironment, ...process.env, NODE_COMPILE_CACHE: cache } }]
}
