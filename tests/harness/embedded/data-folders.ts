import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { layoutOf } from '../../../server/src/store/embedded/layout.ts'
import { readPostmaster } from '../../../server/src/store/embedded/postmaster-file.ts'
import { stopServer } from '../../../server/src/store/embedded/server.ts'

/** New folders for one test, with a space in their path. After the test, servers that still run there are stopped. */
export function makeDataFolders(): { make(): string; clear(): Promise<void> } {
  const made: string[] = []
  return {
    make: () => {
      const folder = mkdtempSync(join(realpathSync(tmpdir()), 'tocsin data '))
      made.push(folder)
      return folder
    },
    clear: async () => {
      for (const folder of made.splice(0)) await stopAndRemove(folder)
    },
  }
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
