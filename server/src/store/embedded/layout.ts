import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** The paths of the embedded server's files. */
export type Layout = {
  dataDir: string
  /** Our own folder inside the data folder. */
  home: string
  /** PostgreSQL's data directory. */
  cluster: string
  password: string
  port: string
  log: string
  locks: string
}

export function layoutOf(dataDir: string): Layout {
  const home = join(dataDir, 'postgres')
  return {
    dataDir,
    home,
    cluster: join(home, 'cluster'),
    password: join(home, 'password'),
    port: join(home, 'port'),
    log: join(home, 'postgres.log'),
    locks: join(home, 'lock'),
  }
}

/** Uses the real path, so that two names of one folder lead to one lock. */
export function makeLayout(dataDir: string): Layout {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const layout = layoutOf(realpathSync(dataDir))
  mkdirSync(layout.home, { recursive: true, mode: 0o700 })
  return layout
}
