import { join } from 'node:path'
import { modulesFolder, root } from './paths.mjs'
import { typeScriptFlags } from './runtime.mjs'

/** Limits the space for young objects to 16 MB, because an idle service keeps the memory of its busiest moment. */
export const serviceFlags = ['--max-semi-space-size=16']

/**
 * Pictures are decoded on several threads. glibc gives each thread its own arena and never frees it: after 64 large uploads
 * the service used 600 MB. With two arenas it uses 240 MB.
 */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '2' }

/** The command line and options that run one of our TypeScript files, with a compile cache for fast warm starts. */
export function typeScriptCommand(node, file, args = [], flags = []) {
  const command = [node, ...typeScriptFlags(node), ...flags, join(root, file), ...args]
  const cache = process.env.NODE_COMPILE_CACHE ?? join(modulesFolder, '.cache', 'compiled')
  return [command, { cwd: root, env: { ...serviceEnvironment, ...process.env, NODE_COMPILE_CACHE: cache } }]
}
