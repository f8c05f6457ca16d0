import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as tar from 'tar'

const root = resolve(import.meta.dirname, '../..')

/** Unpacks the server of version 0.1 into an empty folder. It runs on the packages that are installed for the current one. */
export async function unpackOldServer(folder: string): Promise<void> {
  await tar.extract({ file: join(root, 'tests/version-0.1-server.tar.gz'), cwd: folder })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@tocsin'), { recursive: true })
  symlinkSync(join(folder, 'contract'), join(modules, '@tocsin/contract'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@tocsin' && !name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  const ofServer = join(root, 'server/node_modules')
  if (existsSync(ofServer)) symlinkSync(ofServer, join(folder, 'server/node_modules'))
}
