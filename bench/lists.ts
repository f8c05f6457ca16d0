import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@tocsin/sdk'
import pg from 'pg'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import { combineFilters, type ListSeed, makeListOwners, seedLists } from '../tests/harness/seed-lists.ts'
import { startCpuClock } from './support/cpu-time.ts'
import { get, startServer } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { withoutIndexes } from './support/without-indexes.ts'

/**
 * `npm run bench -- lists [ALERTS] [--rounds N] [--data DIR]`: times over HTTP of GET /api/alerts for every combination of
 * filters, of logs, of other lists and of what an operator's tools read, on a store with that many alerts (default
 * 1,000,000). A fifth of the deliveries wait. The store is removed at the end, unless `--data` names its folder; a later run
 * with the same folder uses it again.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string' }, data: { type: 'string' } },
  allowPositionals: true,
})
const alerts = Number(positionals[0] ?? 1_000_000)
const rounds = Number(values.rounds ?? 20)
const p95MsMax = 50
const ownerToken = 'x'.repeat(40)
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const seedFile = join(folder, 'seed.json')
const service = await startServer('server/src/main.ts', [], {
  PORT: '0',
  ROLE: 'api',
  DATA_DIR: folder,
  MARKETPLACE: 'off',
  ADMIN_TOKEN: ownerToken,
  RATE_ACCOUNT_PER_MINUTE: '100000000',
  RETENTION_ALERTS_DAYS: '36500',
  RETENTION_LOGS_DAYS: '36500',
  LOG_LEVEL: 'error',
})
const database = new pg.Client({ connectionString: await connectEmbedded(folder) })
await database.connect()
const { seed, memberToken } = existsSync(seedFile) ? readSeed() : await fill()

const many = { workspace: 'busy', project: 'busy.app', trigger: 'busy.app.common', subscription: seed.common }
const few = { workspace: 'busy', project: 'busy.app', trigger: 'busy.app.rare', subscription: seed.rare }
const none = { workspace: 'busy', project: 'busy.side', trigger: 'busy.side.t', subscription: seed.common }
const own = { workspace: 'busy', project: 'busy.app', trigger: 'busy.app.common', subscription: seed.member }
for (const [name, filters] of Object.entries({ many, few, none }))
  await measure(`100 alerts, filters fit ${name}`, alertPaths(filters, 100), ownerToken)
await measure('100 own alerts', alertPaths(own, 100), memberToken)
await measure('1,000 alerts', alertPaths(many, 1000), ownerToken)
await measure('logs', logPaths(), ownerToken)
await measure('other lists', otherPaths(), ownerToken)
await measure('health and metrics', ['/api/health', '/api/ready', '/metrics'], ownerToken)
await database.end()
await service.stop()
if (values.data === undefined) rmSync(folder, { recursive: true, force: true })
process.exit(0)

type Seeded = { seed: ListSeed; memberToken: string }

function readSeed(): Seeded {
  return JSON.parse(readFileSync(seedFile, 'utf8'))
}

async function fill(): Promise<Seeded> {
  const owner = createClient({ baseUrl: service.url, token: ownerToken })
  const body = { email: 'member@example.org', password: 'correct horse battery', name: 'Member' }
  const { token: memberToken } = await owner.signUp({ body })
  const seed = await makeListOwners(owner, createClient({ baseUrl: service.url, token: memberToken }))
  const began = performance.now()
  await withoutIndexes(database, ['alerts', 'deliveries', 'trigger_logs', 'source_logs'], () =>
    seedLists(database, seed, alerts),
  )
  await database.query('vacuum analyze')
  const { rows } = await database.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  )
  console.log(`${alerts} alerts: ${rows[0]?.size}, filled in ${Math.round((performance.now() - began) / 1000)} s`)
  writeFileSync(seedFile, JSON.stringify({ seed, memberToken }))
  return { seed, memberToken }
}

function alertPaths(filters: Parameters<typeof combineFilters>[0], limit: number): string[] {
  return combineFilters(filters).map((query) => {
    const given = Object.entries({ ...query, limit }).map(([name, value]): [string, string] => [name, String(value)])
    return `/api/alerts?${new URLSearchParams(given)}`
  })
}

function logPaths(): string[] {
  return [
    ...['', '&status=failed', '&direction=after'].map((rest) => `/api/triggers/busy.app.common/logs?limit=100${rest}`),
    ...['info', 'warn', 'error'].map((level) => `/api/custom-sources/busy.chain/logs?level=${level}`),
  ]
}

function otherPaths(): string[] {
  return [
    ...['', '?workspace=busy', '?project=busy.app', '?trigger=busy.app.common'].map(
      (rest) => `/api/subscriptions${rest}`,
    ),
    ...['projects', 'triggers', 'resources', 'custom-sources', 'workspaces', 'addresses'].map((name) => `/api/${name}`),
    '/api/triggers/runtime-sources',
    '/api/project-transfer-requests',
    '/api/projects/busy.app/templates',
    '/api/workspaces/busy/acl',
  ]
}

/** Requests go one after another, after a quarter as many that warm up. The slowest path has the highest p95. */
async function measure(name: string, paths: readonly string[], token: string): Promise<void> {
  for (const path of paths) await timesOf(path, token, Math.ceil(rounds / 4))
  const all: number[] = []
  let slowest = { path: '', p95: 0 }
  const cpu = await startCpuClock({ service: service.pid, receiver: process.pid }, database)
  for (const path of paths) {
    const times = await timesOf(path, token, rounds)
    all.push(...times)
    if (at(times, 0.95) > slowest.p95) slowest = { path, p95: at(times, 0.95) }
  }
  const used = cpu()
  const each = (micros: number) => `${(micros / 1000 / all.length).toFixed(1)} ms`
  printRow({
    what: `lists at ${alerts.toLocaleString('en')} alerts, p95 of a request`,
    part: name,
    wanted: `≤ ${p95MsMax} ms`,
    seen: `${at(all, 0.95).toFixed(1)} ms`,
    ok: at(all, 0.95) <= p95MsMax,
    details:
      `${paths.length} paths; p50 ${at(all, 0.5).toFixed(1)} ms; slowest ${slowest.path}, p95 ${slowest.p95.toFixed(1)} ms;` +
      ` CPU of a request: service ${each(used.service)}, PostgreSQL ${each(used.store)}`,
  })
}

async function timesOf(path: string, token: string, count: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < count; round++) {
    const began = performance.now()
    await get(`${service.url}${path}`, { authorization: `Bearer ${token}` })
    times.push(performance.now() - began)
  }
  return times
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN
}
