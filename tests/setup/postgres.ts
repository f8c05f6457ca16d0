import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../server/src/store/core/migrate.ts'
import { startEmbeddedPostgres } from '../../server/src/store/embedded/index.ts'
import { installJobs } from '../../server/src/store/jobs/job-queue.ts'
import { emptyingStatements } from './empty-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The name of the migrated database that tests copy; the name of a copy begins with it. */
    templateDatabase: string
    /** SQL that resets a copy to the state of the template. */
    emptyingStatements: string
    /** Services of the run create their data folders in it. */
    dataFolder: string
  }
}

/** One PostgreSQL for the whole run: embedded, or an existing one with TEST_DATABASE_URL. Tests copy a migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  const dataFolder = await mkdtemp(join(tmpdir(), 'tocsin-data-'))
  const template = `tocsin_test_${process.pid}`
  const templateUrl = withDatabase(server.url, template)
  await run(server.url, `create database ${template}`)
  await migrate(templateUrl)
  // The template already has the job tables; creating them would take half a second per test.
  await installJobs(templateUrl)
  project.provide('postgresUrl', server.url)
  project.provide('templateDatabase', template)
  project.provide('emptyingStatements', await emptyingStatements(templateUrl))
  project.provide('dataFolder', dataFolder)
  return async () => {
    await server.stop(template)
    await rm(dataFolder, { recursive: true, force: true })
  }
}

/** Its stop removes all databases whose names begin with the prefix. */
type TestServer = { url: string; stop(prefix: string): Promise<void> }

async function startServer(): Promise<TestServer> {
  const external = process.env.TEST_DATABASE_URL
  if (external) return { url: external, stop: (prefix) => dropDatabases(external, prefix) }
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-test-'))
  const embedded = await startEmbeddedPostgres(folder)
  await makeFast(embedded.url)
  return {
    url: embedded.url,
    stop: async () => {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The data of a test run need not survive a crash, so fsync is off; and a short-lived server needs no slow password hash. */
async function makeFast(url: string): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await run(url, `alter system set ${setting} = off`)
  await run(url, 'select pg_reload_conf()')
  const { username, password } = new URL(url)
  await run(url, `set scram_iterations = 1; alter role ${username} password '${password}'`)
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [prefix])
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  await client.end()
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

export async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
