import { chmodSync, cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../server/src/store/embedded/index.ts'
import { layoutOf } from '../../../server/src/store/embedded/layout.ts'
import { readPostmaster } from '../../../server/src/store/embedded/postmaster-file.ts'
import { stopServer } from '../../../server/src/store/embedded/server.ts'

export type DataFolders = {
  make(): string
  /** A folder as a first start and a stop leave it. A copy of one takes much less time than another first start. */
  makeUsed(): Promise<string>
  /** Stops the servers that still run in the folders of a test, and removes the folders. */
  clear(): Promise<void>
  /** Removes the folder that is copied. */
  end(): Promise<void>
}

/** New folders for one test, with a space in their path. */
export function makeDataFolders(): DataFolders {
  const made: string[] = []
  let original: Promise<string> | undefined
  const make = () => {
    const folder = newFolder()
    made.push(folder)
    return folder
  }
  return {
    make,
    makeUsed: async () => {
      original ??= useOnce()
      const folder = make()
      cpSync(await original, folder, { recursive: true })
      // A copy of a folder does not keep its mode, and PostgreSQL refuses one that others may read.
      chmodSync(layoutOf(folder).cluster, 0o700)
      return folder
    },
    clear: async () => {
      for (const folder of made.splice(0)) await stopAndRemove(folder)
    },
    end: async () => {
      if (original) rmSync(await original, { recursive: true, force: true })
    },
  }
}

function newFolder(): string {
  return mkdtempSync(join(realpathSync(tmpdir()), 'tocsin data '))
}

/** A data folder after one start and stop, without its port file, because each copy needs its own port. */
async function useOnce(): Promise<string> {
  const folder = newFolder()
  const server = await startEmbeddedPostgres(folder)
  await server.stop()
  rmSync(layoutOf(folder).port)
  return folder
}

async function stopAndRemove(folder: string): Promise<void> {
  const left = readPostmaster(layoutOf(folder))
  if (left?.state === 'running') await stopServer(left.pid)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
