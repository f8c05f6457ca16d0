import { join } from 'node:path'
import { modulesFolder, root } from './paths.mjs'
import { typeScriptFlags } from './runtime.mjs'

export { sourceFlags } from './runtime.mjs'

/**
 * The space for young objects has at most 16 MB, and V8 collects garbage when the heap is 50 % larger than what is in use.
 * By default V8 lets a heap grow to four times what is in use: a backlog of 50,000 events then took 474 MB instead of 334 MB.
 * A smaller limit costs more CPU time: with 40 % instead of 100 % an event took a tenth more. With 75 % the backlog took 360 MB.
 *
 * The memory reducer collects garbage in quiet moments and discards compiled code whose objects are all gone: the requests
 * after it took up to four times the CPU time. The service frees its memory itself (`server/src/free-memory.ts`).
 */
export const serviceFlags = ['--max-semi-space-size=16', '--heap-growing-percent=50', '--no-memory-reducer']

/**
 * Pictures are decoded on several threads. glibc gives each thread its own arena and never frees it: after 64 large uploads
 * the service used 600 MB. With two arenas it uses 240 MB. glibc also keeps freed blocks for reuse, larger ones with every large
 * block that it has seen. With a fixed limit it returns large blocks at once: the backlog of 50,000 events took 20 MB less.
 */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/** The command line and options that run one of our TypeScript files, with a compile cache for fast warm starts. */
export function typeScriptCommand(node, file, args = [], flags = []) {
  const command = [node, ...typeScriptFlags(node), ...flags, join(root, file), ...args]
  const cache = process.env.NODE_COMPILE_CACHE ?? join(modulesFolder, '.cache', 'compiled')
  return [command, { cwd: root, env: { ...serviceEnvironment, ...process.env, NODE_COMPILE_CACHE: cache } }]
}
