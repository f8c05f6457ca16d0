import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Client, createClient } from '@tocsin/sdk'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/src/store/embedded/index.ts'
import { customSource, project, resource, subscription, trigger } from '../tests/harness/records.ts'
import { startEvmNode } from '../tests/nodes/evm.ts'
import { emitter } from '../tests/nodes/evm-contracts.ts'
import { get, type Measured, startServer } from './support/measure.ts'
import { cpuOfTree } from './support/process-tree.ts'
import { printRow } from './support/row.ts'
import { transferTopic } from './support/runtime-house.ts'
import { sampleWaits } from './support/sample-waits.ts'

/**
 * `npm run bench -- processes [--events N] [--processes 1,2,4] [--rounds 3]`: engine processes on one PostgreSQL. For each
 * number of processes: CPU time per event of all engines and of PostgreSQL, from the node to the recorded delivery, and the
 * sessions that wait for a lock. The numbers take turns, because the machine's speed changes; medians count. Eight sources
 * with a subscription and a webhook each follow one node, so one log is eight events.
 * Then one process follows all sources, a second one joins, and the time until both follow four of them is measured.
 */
const { values } = parseArgs({
  options: { events: { type: 'string' }, processes: { type: 'string' }, rounds: { type: 'string' } },
})
const wanted = Number(values.events ?? 32_000)
const rounds = Number(values.rounds ?? 3)
const counts = (values.processes ?? '1,2,4').split(',').map(Number)
const sources = 8
/** Logs per transaction, transactions per block. A block is an event of every source. */
const [perTransaction, perBlock] = [50, 4]
const perBlockEvents = perTransaction * perBlock * sources
/** Events of each process before the measurement, because code is slow until V8 has compiled it. */
const warmUpEach = 12_000
const aheadMost = 4 * perBlockEvents
const token = 'tcn_personal_bench_bench_bench_bench_bench'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'

type Used = { engines: number; store: number; waiting: number }

const node = await startEvmNode()
const contract = await node.deploy(`${emitter(3).slice(0, -2).repeat(perTransaction)}00`)
await node.request('evm_setAutomine', [false])

const measured: { count: number; used: Used }[] = []
for (let round = 0; round < rounds; round++)
  for (const count of counts) measured.push({ count, used: await measure(count) })
report(counts.map((count) => [count, medianOf(count)]))
await measureJoin()
await node.close()
process.exit()

async function measure(count: number): Promise<Used> {
  const house = await startHouse()
  for (let made = 0; made < count; made++) await house.startEngine()
  await followedEvenly(house.database, count)
  const first = await mine(house.receiver, count * warmUpEach)
  await allDelivered(house, first)
  const before = cpuOf(house)
  const waits = sampleWaits(house.url)
  const total = await mine(house.receiver, wanted)
  await allDelivered(house, first + total)
  const waiting = await waits.end()
  const after = cpuOf(house)
  await house.close()
  const used = {
    engines: (after.engines - before.engines) / total,
    store: (after.store - before.store) / total,
    waiting,
  }
  console.log(
    `${count} engine processes: CPU of an event: engines ${Math.round(used.engines)} µs, PostgreSQL ${Math.round(used.store)} µs;` +
      ` sessions that wait for a lock: ${waiting.toFixed(3)} on average`,
  )
  return used
}

/** The round in the middle, by CPU time. */
function medianOf(count: number): Used {
  const used = measured.filter((each) => each.count === count).map((each) => each.used)
  const sorted = used.toSorted((a, b) => cpu(a) - cpu(b))
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('a round is needed')
  return middle
}

function cpu({ engines, store }: Used): number {
  return engines + store
}

function report(each: readonly [count: number, used: Used][]): void {
  const [one, ...more] = each
  if (!one) return
  const ratios = more.map(([count, used]) => ({ count, ratio: cpu(used) / cpu(one[1]) }))
  printRow({
    what: `CPU of an event with ${counts.join(', ')} engine processes`,
    wanted: `≤ 1.15 × that with ${one[0]}`,
    seen: `${Math.round(cpu(one[1]))} µs; ${ratios.map(({ count, ratio }) => `${count}: ${ratio.toFixed(2)} ×`).join(', ')}`,
    ok: ratios.every(({ ratio }) => ratio <= 1.15),
  })
  printRow({
    what: 'sessions that wait for a lock, on average',
    wanted: '–',
    seen: each.map(([count, { waiting }]) => `${count}: ${waiting.toFixed(3)}`).join(', '),
  })
}

async function measureJoin(): Promise<void> {
  const house = await startHouse()
  await house.startEngine()
  await followedEvenly(house.database, 1)
  await house.startEngine()
  const joinedAt = performance.now()
  await followedEvenly(house.database, 2)
  const seconds = (performance.now() - joinedAt) / 1000
  await house.close()
  printRow({
    what: 'time until a process that joins follows half of the sources',
    wanted: '≤ 10 s',
    seen: `${seconds.toFixed(1)} s`,
    ok: seconds <= 10,
  })
}

type House = {
  url: string
  database: pg.Client
  postmaster: number
  engines: Measured[]
  receiver: Measured
  startEngine(): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL, a process of the API, a receiver, and the definitions; the engines are started later. */
async function startHouse(): Promise<House> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-processes-'))
  const postgres = await startEmbeddedPostgres(dataDir)
  const variables = {
    DATABASE_URL: postgres.url,
    SECRET_KEY: 'benchmark '.repeat(4),
    DATA_DIR: dataDir,
    MARKETPLACE: 'off',
    PORT: '0',
    LOG_LEVEL: 'error',
    ADMIN_TOKEN: token,
    ALLOW_PRIVATE_NETWORKS: 'on',
    RATE_ACCOUNT_PER_MINUTE: '1000000',
  }
  const start = (ROLE: string) => startServer('server/src/main.ts', [], { ...variables, ROLE })
  const receiver = await startServer('bench/support/count-hooks.ts', [], {})
  const api = await start('api')
  await define(createClient({ baseUrl: api.url, token }), receiver.url)
  const database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  // Autovacuum analyzes the growing tables once a minute: in some rounds during the measurement, in others before it.
  await database.query('alter system set autovacuum = off')
  await database.query('select pg_reload_conf()')
  const engines: Measured[] = []
  return {
    url: postgres.url,
    database,
    postmaster: postgres.pid,
    engines,
    receiver,
    startEngine: async () => void engines.push(await start('engine')),
    close: async () => {
      await Promise.all([...engines, api, receiver].map((server) => server.stop()))
      await database.end()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function define(client: Client, hook: string): Promise<void> {
  await client.saveWorkspace({ fullname: 'bench', body: { fullname: 'bench' } })
  await client.saveProject({ fullname: 'bench.p', body: project('bench.p') })
  for (let made = 0; made < sources; made++) {
    const [source, target, name] = [`bench.s${made}`, `bench.hook${made}`, `bench.p.t${made}`]
    await client.saveResource({ fullname: target, body: resource(target, { data: { url: hook, secret: 's' } }) })
    await client.saveCustomSource({ fullname: source, body: customSource(source, { endpoints: [node.url] }) })
    const triggerSpec = { type: 'evm_log', dataSource: source, abiFragment } as const
    await client.saveTrigger({ fullname: name, body: trigger(name, { triggerSpec }) })
    await client.createSubscription({ body: subscription(name, { resources: [target] }) })
  }
}

/** Waits until every process follows its share and every source has a checkpoint. */
async function followedEvenly(database: pg.Client, processes: number): Promise<void> {
  const text = `select count(*)::int as count from followers where lease_until > clock_timestamp()
    and source <> 'timer' and number is not null group by owner`
  for (;;) {
    const { rows } = await database.query<{ count: number }>(text)
    if (rows.length === processes && rows.every(({ count }) => count === sources / processes)) return
    await pause(100)
  }
}

/** Mines blocks until there are that many events, a few blocks ahead of the deliveries. Returns the number of events. */
async function mine(receiver: Measured, events: number): Promise<number> {
  const word = (hex: string) => hex.padStart(64, '0')
  const data = `${transferTopic}${word('aa')}${word('bb')}${word('de0b6b3a7640000')}`
  const blocks = Math.ceil(events / perBlockEvents)
  const before = Number(await get(receiver.url, {}))
  for (let block = 0; block < blocks; block++) {
    while (before + block * perBlockEvents - Number(await get(receiver.url, {})) > aheadMost) await pause(20)
    for (let sent = 0; sent < perBlock; sent++)
      await node.request('eth_sendTransaction', [{ from: node.account, to: contract, data, gas: '0x7a120' }])
    await node.request('evm_mine', [])
  }
  return blocks * perBlockEvents
}

/** Counts in the store only after all webhooks arrived, because counting costs PostgreSQL time that it needs for the work. */
async function allDelivered({ receiver, database }: House, total: number): Promise<void> {
  while (Number(await get(receiver.url, {})) < total) await pause(50)
  const text = "select count(*)::int as count from deliveries where status = 'delivered'"
  while ((await database.query(text)).rows[0].count < total) await pause(50)
}

function cpuOf({ engines, postmaster }: House): { engines: number; store: number } {
  return { engines: engines.reduce((sum, { pid }) => sum + cpuOfTree(pid), 0), store: cpuOfTree(postmaster) }
}
