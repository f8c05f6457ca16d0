import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/src/store/embedded/index.ts'
import { get, startServer } from './support/measure.ts'
import { openEventMiner } from './support/node-events.ts'
import { type Indexed, installPonder, ponderVersion, runPonder } from './support/ponder.ts'
import { cpuOfTree } from './support/process-tree.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe } from './support/runtime-house.ts'

/**
 * `npm run bench -- peers [--events N]`: catching up on the same events of the same node, from the start of the process
 * to the last event. Tocsin delivers a signed webhook for each event and records it. Ponder inserts one row for each
 * event, on the same PostgreSQL and on PGlite, and delivers nothing. Node, receiver and PostgreSQL are processes of their
 * own. The CPU time is that of the program with its children, and of PostgreSQL.
 */
const { values } = parseArgs({ options: { events: { type: 'string', default: '50000' } } })
/** Ponder treats the newest 30 blocks as not final and reads them one by one. */
const emptyBlocks = 40
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'))
const node = await startServer('bench/support/node-process.ts', [], {})
const receiver = await startServer('bench/support/count-hooks.ts', [], {})
const miner = await openEventMiner(node.url)

const env = { DATABASE_URL: postgres.url }
const before = await startHouse(join(folder, 'data'), env)
await subscribe(before.client, node.url, receiver.url)
await stop(before.pid)
const events = await miner.mine(Number(values.events))
await miner.mineEmpty(emptyBlocks)

try {
  const ours = await withPostgres(catchUp)
  report('Tocsin, one signed webhook for each event, all recorded', ours)
  await compare(ours)
} catch (error) {
  const seen = `not measured: ${error instanceof Error ? error.message : error}`
  printRow({ what: `catching up ${events} events beside Ponder ${ponderVersion}`, wanted: '–', seen })
} finally {
  await receiver.stop()
  await node.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function compare(ours: Indexed): Promise<void> {
  await installPonder()
  const chain = { nodeUrl: node.url, contract: miner.contract, events }
  const databaseUrl = await createDatabase('ponder')
  const onPostgres = await withPostgres(async () => runPonder(chain, { port: await freePort(), databaseUrl }))
  report(`Ponder ${ponderVersion} on PostgreSQL, one row for each event`, onPostgres)
  const onPglite = await runPonder(chain, { port: await freePort() })
  report(`Ponder ${ponderVersion} on PGlite, one row for each event`, onPglite)
  for (const [store, theirs] of Object.entries({ PostgreSQL: onPostgres, PGlite: onPglite }))
    printRow({
      what: `catching up ${events} events, against Ponder ${ponderVersion}`,
      part: `on ${store}`,
      wanted: '–',
      seen: `${(ours.tookMs / theirs.tookMs).toFixed(2)} × its time, ${(ours.cpuMs / theirs.cpuMs).toFixed(2)} × its CPU`,
      details: `time ${seconds(ours.tookMs)} against ${seconds(theirs.tookMs)}, CPU ${seconds(ours.cpuMs)} against ${seconds(theirs.cpuMs)}`,
    })
}

/** Starts the service again and waits until it has delivered and recorded all events. */
async function catchUp(): Promise<Indexed> {
  const began = performance.now()
  const house = await startHouse(join(folder, 'data'), env)
  while (Number(await get(receiver.url, {})) < events) await pause(50)
  let rows = 0
  while (rows < events) {
    rows = await countDelivered()
    if (rows < events) await pause(50)
  }
  const tookMs = performance.now() - began
  const cpuMs = cpuOfTree(house.pid) / 1000
  await house.close()
  return { tookMs, cpuMs, rows }
}

/** Adds the CPU time of PostgreSQL. */
async function withPostgres(run: () => Promise<Indexed>): Promise<Indexed> {
  const cpuBefore = cpuOfTree(postgres.pid)
  const indexed = await run()
  return { ...indexed, cpuMs: indexed.cpuMs + (cpuOfTree(postgres.pid) - cpuBefore) / 1000 }
}

function report(what: string, { tookMs, cpuMs, rows }: Indexed): void {
  const each = Math.round((1000 * cpuMs) / events)
  console.log(`${what}: ${rows} of ${events} in ${seconds(tookMs)}, CPU ${seconds(cpuMs)} = ${each} µs an event`)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

async function countDelivered(): Promise<number> {
  const text = "select count(*)::int as count from deliveries where status = 'delivered'"
  const rows = await query<{ count: number }>(text)
  return rows[0]?.count ?? 0
}

async function createDatabase(name: string): Promise<string> {
  await query(`create database ${name}`)
  return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
}

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  const { rows } = await database.query<Row>(text)
  await database.end()
  return rows
}

async function stop(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM')
  while (isRunning(pid)) await pause(50)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
