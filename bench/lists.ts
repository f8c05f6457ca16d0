import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@tocsin/sdk'
import pg from 'pg'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import { combineFilters, makeListOwners, seedLists } from '../tests/harness/seed-lists.ts'
import { get, startServer } from './support/measure.ts'
import { withoutIndexes } from './support/without-indexes.ts'

/**
 * `npm run bench -- lists [ALERTS] [LIMIT]`: times of GET /api/alerts over HTTP for every combination of filters, and of
 * logs, on a store with that many alerts (default 1,000,000) and pages of that size (default 100).
 */
const alerts = Number(process.argv[2] ?? 1_000_000)
const limit = Number(process.argv[3] ?? 100)
const rounds = 20
const token = 'x'.repeat(40)
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const service = await startServer('server/src/main.ts', [], {
  PORT: '0',
  ROLE: 'api',
  DATA_DIR: folder,
  ADMIN_TOKEN: token,
  RATE_ACCOUNT_PER_MINUTE: '100000000',
  LOG_LEVEL: 'error',
})
const owner = createClient({ baseUrl: service.url, token })
const signedUp = await owner.signUp({
  body: { email: 'member@example.org', password: 'correct horse battery', name: 'Member' },
})
const seed = await makeListOwners(owner, createClient({ baseUrl: service.url, token: signedUp.token }))
await fill()

const many = { workspace: 'busy', project: 'busy.app', trigger: 'busy.app.common', subscription: seed.common }
const few = { workspace: 'busy', project: 'busy.app', trigger: 'busy.app.rare', subscription: seed.rare }
const none = { workspace: 'quiet', project: 'busy.side', trigger: 'busy.app.rare' }
const own = { workspace: 'busy', project: 'busy.app', subscription: seed.member }
for (const [name, filters] of Object.entries({ many, few, none }))
  await measure(`filters that fit ${name}`, alertPaths(filters), token)
await measure('own alerts of a user', alertPaths(own), signedUp.token)
await measure(
  'trigger logs',
  ['', '&status=failed'].map((rest) => `/api/triggers/busy.app.common/logs?limit=100${rest}`),
  token,
)
await measure(
  'source logs',
  ['info', 'warn', 'error'].map((level) => `/api/custom-sources/busy.chain/logs?level=${level}`),
  token,
)
await service.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(0)

async function fill(): Promise<void> {
  const database = new pg.Client({ connectionString: await connectEmbedded(folder) })
  await database.connect()
  const began = performance.now()
  await withoutIndexes(database, ['alerts', 'deliveries', 'trigger_logs', 'source_logs'], () =>
    seedLists(database, seed, alerts),
  )
  await database.query('vacuum analyze')
  const { rows } = await database.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  )
  await database.end()
  console.log(
    `${alerts} alerts, pages of ${limit}: ${rows[0]?.size}, filled in ${Math.round((performance.now() - began) / 1000)} s`,
  )
}

function alertPaths(filters: Parameters<typeof combineFilters>[0]): string[] {
  return combineFilters(filters).map(
    (query) => `/api/alerts?${new URLSearchParams({ ...query, limit: String(limit) } as Record<string, string>)}`,
  )
}

/** Requests go one after another. The slowest path is the one with the highest p95. */
async function measure(name: string, paths: readonly string[], token: string): Promise<void> {
  const all: number[] = []
  let slowest = { path: '', p50: 0, p95: 0 }
  for (const path of paths) {
    const times = await timesOf(path, token)
    all.push(...times)
    if (at(times, 0.95) > slowest.p95) slowest = { path, p50: at(times, 0.5), p95: at(times, 0.95) }
  }
  console.log(
    `${name}, ${paths.length} paths: p50 ${at(all, 0.5).toFixed(1)} ms, p95 ${at(all, 0.95).toFixed(1)} ms; ` +
      `slowest path p50 ${slowest.p50.toFixed(1)} ms, p95 ${slowest.p95.toFixed(1)} ms (${slowest.path})`,
  )
}

async function timesOf(path: string, token: string): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await get(`${service.url}${path}`, { authorization: `Bearer ${token}` })
    times.push(performance.now() - began)
  }
  return times
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN
}
