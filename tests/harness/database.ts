/** Databases for tests: copies of the migrated template. A released database is emptied and used again in the same worker. */
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { run, withDatabase } from '../setup/postgres.ts'

export type TestDatabase = { url: string; giveBack(): Promise<void> }

const spareUrls: string[] = []

export async function takeDatabase(): Promise<TestDatabase> {
  const url = spareUrls.pop() ?? (await copyTemplate())
  return {
    url,
    giveBack: async () => {
      await run(url, inject('emptyingStatements'))
      spareUrls.push(url)
    },
  }
}

async function copyTemplate(): Promise<string> {
  const template = inject('templateDatabase')
  const database = `${template}_${randomBytes(6).toString('hex')}`
  await run(inject('postgresUrl'), `create database ${database} template ${template}`)
  return withDatabase(inject('postgresUrl'), database)
}
