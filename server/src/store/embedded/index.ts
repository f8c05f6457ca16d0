/** The PostgreSQL server that the service runs in its data folder when DATABASE_URL is not set. */

import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { writingDataFolder } from '../core/data-folder.ts'
import { findBinaries } from './binaries.ts'
import { ensureCluster, requirePassword } from './cluster.ts'
import { ask, ensureDatabase, urlOf } from './connect.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import { type Layout, layoutOf, makeLayout } from './layout.ts'
import { readPostmaster } from './postmaster-file.ts'
import { isAlive } from './process-identity.ts'
import { chooseRunAs } from './run-as.ts'
import { obtainServer, type Server, stopServer } from './server.ts'

export { DataFolderInUse } from './data-folder-lock.ts'

export type EmbeddedPostgres = {
  url: string
  adopted: boolean
  /** The process id of the current server; a server that dies is restarted. */
  readonly pid: number
  stop(): Promise<void>
}
type Options = { log?: (line: string) => void; warn?: (line: string) => void; database?: string }

const defaultDatabase = 'tocsin'

/** Starts the server, whatever state a crash left the folder in. A second service on the folder is refused. */
export async function startEmbeddedPostgres(dataDir: string, options: Options = {}): Promise<EmbeddedPostgres> {
  const layout = writingDataFolder(dataDir, () => makeLayout(dataDir))
  const lock = await lockDataFolder(layout.dataDir, layout.locks)
  try {
    const log = options.log ?? (() => {})
    const { adopted, ...server } = await startServerOn(layout, log)
    const url = await openDatabase(layout, server, options.database ?? defaultDatabase)
    // The folder stores the port, so that clients with the URL find the server again after a restart.
    const supervision = supervise(
      () => server.pid,
      async () => void Object.assign(server, await startServerOn(layout, log)),
      options.warn ?? (() => {}),
    )
    const stop = once(async () => {
      await supervision.end()
      await stopServer(server.pid).finally(lock.release)
    })
    return {
      url,
      adopted,
      stop,
      get pid() {
        return server.pid
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** True if a data folder holds a cluster, running or not. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(join(layoutOf(dataDir).cluster, 'PG_VERSION'))
}

/** The URL of the server that runs in a data folder, if one runs. Takes no lock and starts nothing. */
export async function connectEmbedded(dataDir: string, database = defaultDatabase): Promise<string | undefined> {
  if (!existsSync(dataDir)) return undefined
  const layout = layoutOf(realpathSync(dataDir))
  const found = readPostmaster(layout)
  if (found?.state !== 'running' || !found.port) return undefined
  const address = { port: found.port, password: requirePassword(layout) }
  return (await ask(address, layout.cluster)) === 'ours' ? urlOf(address, database) : undefined
}

/** Stops the server that a killed process left running in a data folder of its own. */
export async function stopLeftServer(dataDir: string): Promise<void> {
  if ((await connectEmbedded(dataDir)) === undefined) return
  const found = readPostmaster(layoutOf(realpathSync(dataDir)))
  if (found?.state === 'running') await stopServer(found.pid)
}

async function startServerOn(layout: Layout, log: (line: string) => void): Promise<Server> {
  const binaries = await findBinaries()
  const runAs = chooseRunAs(layout, binaries)
  await ensureCluster(layout, binaries, runAs)
  const server = await obtainServer(layout, binaries, runAs)
  log(`PostgreSQL ${server.adopted ? 'was left running and is taken over' : 'started'} on 127.0.0.1:${server.port}`)
  return server
}

async function openDatabase(layout: Layout, server: Pick<Server, 'pid' | 'port'>, database: string): Promise<string> {
  const address = { port: server.port, password: requirePassword(layout) }
  try {
    await ensureDatabase(address, database)
  } catch (error) {
    await stopServer(server.pid)
    throw error
  }
  return urlOf(address, database)
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}

const checkEveryMs = 500

type Supervision = { end(): Promise<void> }

/** Restarts a server that died while the service runs. A failed attempt is repeated at the next check. */
function supervise(pid: () => number, revive: () => Promise<void>, warn: (line: string) => void): Supervision {
  let reviving: Promise<void> | undefined
  const timer = setInterval(() => {
    if (reviving || isAlive(pid())) return
    reviving = revive()
      .catch((error: Error) => warn(`The embedded PostgreSQL died and cannot be brought back yet: ${error.message}`))
      .finally(() => {
        reviving = undefined
      })
  }, checkEveryMs)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      await reviving
    },
  }
}
