import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
/** Files that the bootstrap downloads for itself; git ignores them. */
export const runtimeFolder = join(root, '.runtime')
export const modulesFolder = join(root, 'node_modules')
export const locksFolder = join(runtimeFolder, 'locks')
