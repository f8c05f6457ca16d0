import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import { customSource } from '../tests/harness/records.ts'
import { startCpuClock } from './support/cpu-clock.ts'
import { startServer } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe } from './support/runtime-house.ts'

/**
 * `npm run bench -- history [BLOCKS] [EVENTS] [BATCH]`: a new subscription runs over past blocks, 100,000 by default, with
 * 20,000 events by default, which are spread evenly over the blocks. The alerts are listed and not sent. BATCH is the
 * `batchMaxCount` of the source and the number of blocks that are read at once; by default the source has no settings.
 */
const [blocks = 100_000, events = 20_000, batch] = process.argv.slice(2).map(Number)

const node = await startServer('bench/support/past-node.ts', [String(blocks), String(events)], {})
const receiver = await startServer('bench/support/count-hooks.ts', [], {})
const house = await startHouse()
await subscribe(house.client, node.url, receiver.url)
if (batch !== undefined) await readInBatches(batch)
const database = new pg.Client({ connectionString: await connectEmbedded(house.dataDir) })
await database.connect()
const cpu = await startCpuClock({ service: house.pid, receiver: receiver.pid }, database)
const startedAt = performance.now()
const body = { workspace: 'bench', project: 'bench.p', trigger: 'bench.p.t', resources: [], from: { block: 1 } }
const { id } = await house.client.createSubscription({ body })
const historyOf = async () => (await house.client.getSubscription({ id })).history
while ((await historyOf())?.state === 'running') await pause(200)
const seconds = (performance.now() - startedAt) / 1000
const { service, store } = cpu()
const { rows } = await database.query<{ count: number }>(
  'select count(*)::int as count from alerts where subscription_id = $1',
  [id],
)
const each = (micros: number) => `${Math.round(micros / blocks)} µs a block`
console.log(`CPU time of the service: ${each(service)}; of PostgreSQL: ${each(store)}`)
printRow({
  what: `history of ${blocks.toLocaleString('en')} blocks with ${events.toLocaleString('en')} events${batch === undefined ? '' : `, ${batch} calls a request`}`,
  wanted: '–',
  seen: `${Math.round(blocks / seconds)} blocks/s, ${Math.round(events / seconds)} events/s`,
  ok: (await historyOf())?.state === 'done' && rows[0]?.count === events,
})
await database.end()
await house.close()
await receiver.stop()
await node.stop()
process.exit()

async function readInBatches(count: number): Promise<void> {
  const settings = { endpoints: [node.url], mode: 'update' as const, batchMaxCount: count }
  const body = customSource('bench.s', { ...settings, blockProcessingConcurrency: count })
  await house.client.saveCustomSource({ fullname: 'bench.s', body })
  while ((await house.client.getCustomSource({ fullname: 'bench.s' })).status.status !== 'running') await pause(100)
}
