import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { run, withDatabase } from '../setup/postgres.ts'

/** A database and a folder for one world, gone when it is over. */
export async function withOwnStore<T>(work: (own: { databaseUrl: string; dataDir: string }) => Promise<T>): Promise<T> {
  const url = inject('postgresUrl')
  const database = `tocsin_${randomBytes(6).toString('hex')}`
  await run(url, `create database ${database} template ${inject('templateDatabase')}`)
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-world-'))
  try {
    return await work({ databaseUrl: withDatabase(url, database), dataDir })
  } finally {
    await run(url, `drop database ${database} with (force)`)
    rmSync(dataDir, { recursive: true, force: true })
  }
}
