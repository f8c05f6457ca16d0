import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeDatabase } from '../harness/database.ts'

/** An empty database and a folder for one world; the folder is removed at the end. */
export async function withOwnStore<T>(work: (own: { databaseUrl: string; dataDir: string }) => Promise<T>): Promise<T> {
  const database = await takeDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-world-'))
  try {
    return await work({ databaseUrl: database.url, dataDir })
  } finally {
    await database.giveBack()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
