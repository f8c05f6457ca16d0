import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import { startEvmNode } from '../tests/nodes/evm.ts'
import { startCpuClock } from './support/cpu-clock.ts'
import { median, startServer } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe, transferTopic } from './support/runtime-house.ts'

/**
 * `npm run bench -- thresholds [N …]`: N subscriptions with a threshold on one value. It measures the CPU time of service and
 * PostgreSQL for one new value: while all thresholds are quiet, when all fire, while all fire, and when all resolve. The
 * subscriptions have no resources, so nothing is sent; `fan-out` measures that.
 */
const given = process.argv.slice(2).map(Number)
const counts = given.length > 0 ? given : [1_000, 10_000]
const bound = 1_000
/** The first values are not counted, because code is slow until V8 has compiled it. */
const [warmUps, rounds] = [3, 5]

const node = await startEvmNode()
const receiver = await startServer('bench/support/count-hooks.ts', [], {})
const house = await startHouse()
await subscribe(house.client, node.wsUrl, receiver.url)
const database = new pg.Client({ connectionString: await connectEmbedded(house.dataDir) })
await database.connect()
let events = 0

for (const count of counts) {
  await addThresholds(count)
  for (let round = 0; round < warmUps; round++) await cpuOf(round)
  const quiet: number[] = []
  for (let round = 0; round < rounds; round++) quiet.push(await cpuOf(round))
  const fires = await cpuOf(bound + 1)
  await requireAlerts('firing', count)
  const firing: number[] = []
  for (let round = 0; round < rounds; round++) firing.push(await cpuOf(bound + 2 + round))
  const resolves = await cpuOf(bound)
  await requireAlerts('resolved', count)
  print(count, { quiet: median(quiet), fires, firing: median(firing), resolves })
  await database.query('delete from alerts where state is not null')
}
await database.end()
await house.close()
await receiver.stop()
await node.close()
process.exit()

async function addThresholds(count: number): Promise<void> {
  await database.query(
    `insert into subscriptions (id, account_id, workspace_id, project_id, trigger_id, inputs, policy, meta, created_at, updated_at)
     select 's-t' || n, account_id, workspace_id, project_id, trigger_id, inputs, $2::json, meta, created_at, updated_at
     from subscriptions, generate_series(1, $1::int) n where id not like 's-t%' on conflict do nothing`,
    [count, JSON.stringify({ type: 'threshold', value: 'params.value', above: bound })],
  )
  // The listeners in memory follow the store within a second; ten thousand take some seconds.
  await pause(2_000 + count)
}

/** CPU milliseconds of service and store for one value, from its block to the end of its evaluation. */
async function cpuOf(value: number): Promise<number> {
  const word = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
  const cpu = await startCpuClock({ service: house.pid, receiver: receiver.pid }, database)
  events += 1
  await node.emit([transferTopic, word(10), word(11)], word(value))
  const endMs = performance.now() + 120_000
  while (!(await isEvaluated()) && performance.now() < endMs) await pause(20)
  const { service, store } = cpu()
  return (service + store) / 1000
}

/** The subscription without a policy has an alert for each value; the thresholds' job is added in the same commit as its job. */
async function isEvaluated(): Promise<boolean> {
  const { rows } = await database.query(
    `select (select count(*)::int from alerts where state is null) as told,
       (select count(*)::int from pgboss.job where name = 'evaluate-ordered' and state < 'completed') as waiting`,
  )
  return rows[0].told >= events && rows[0].waiting === 0
}

async function requireAlerts(state: string, count: number): Promise<void> {
  const { rows } = await database.query('select count(*)::int as count from alerts where state = $1', [state])
  if (rows[0].count !== count) throw new Error(`${rows[0].count} of ${count} thresholds made an alert: ${state}`)
}

type Cost = { quiet: number; fires: number; firing: number; resolves: number }

function print(count: number, { quiet, fires, firing, resolves }: Cost): void {
  printRow({
    what: 'CPU of a value for thresholds (quiet, all fire, all are firing, all resolve)',
    part: count.toLocaleString('en'),
    wanted: '–',
    seen: `${[quiet, fires, firing, resolves].map(Math.round).join(', ')} ms`,
  })
}
