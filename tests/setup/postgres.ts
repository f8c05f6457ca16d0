import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../server/src/store/core/migrate.ts'
import { startEmbeddedPostgres } from '../../server/src/store/embedded/index.ts'
import { installJobs } from '../../server/src/store/jobs/job-queue.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    templateDatabase: string
  }
}

/** One PostgreSQL for the whole run: embedded, or an existing one by TEST_DATABASE_URL. Tests copy a migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  const template = `tocsin_template_${process.pid}`
  await run(server.url, `create database ${template}`)
  await migrate(withDatabase(server.url, template))
  // Making the tables of the jobs anew for every test would take half a second each.
  await installJobs(withDatabase(server.url, template))
  project.provide('postgresUrl', server.url)
  project.provide('templateDatabase', template)
  return async () => {
    await run(server.url, `drop database ${template} with (force)`)
    await server.stop()
  }
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const external = process.env.TEST_DATABASE_URL
  if (external) return { url: external, stop: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-test-'))
  const embedded = await startEmbeddedPostgres(folder)
  return {
    url: embedded.url,
    stop: async () => {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
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
