import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import type { EvmNode } from '../tests/nodes/evm.ts'
import { startCpuClock } from './support/cpu-clock.ts'
import { startEventLoad } from './support/event-load.ts'
import { cpuMicros, get, startServer } from './support/measure.ts'
import { startHouse, subscribe, transferTopic } from './support/runtime-house.ts'

/**
 * `npm run bench -- throughput [--events N]`: events per second from the node to the recorded delivery, one subscription,
 * with and without a script. The node mines as fast as the service keeps up, a few blocks ahead of the deliveries. Node,
 * service, PostgreSQL and receiver share the machine. A plain script that sends the same requests and records nothing
 * runs on the same node for comparison.
 */
const { values } = parseArgs({ options: { events: { type: 'string' } } })
const wanted = Number(values.events ?? 60_000)
/** Events before the measurement, because code is slow until V8 has compiled it. */
const warmUp = 20_000

await measure('no script')
await measure('one script', '({ from: source.params.from, amount: helpers.formatUnits(source.params.value, 18) })')
process.exit()

async function measure(what: string, transform?: string): Promise<void> {
  const { node, receiver, mine, close } = await startEventLoad()
  const house = await startHouse()
  await subscribe(house.client, node.url, receiver.url, transform)
  const database = new pg.Client({ connectionString: await connectEmbedded(house.dataDir) })
  await database.connect()
  const first = await mine(warmUp)
  await allDelivered(first, receiver.url, database)
  const cpu = await startCpuClock({ service: house.pid, receiver: receiver.pid }, database)
  const startedAt = performance.now()
  const total = await mine(wanted)
  const delivered = (await allDelivered(first + total, receiver.url, database)) - first
  const tookMs = performance.now() - startedAt
  const used = cpu()
  const each = (micros: number) => `${Math.round(micros / total)} µs`
  console.log(
    `${what}: ${delivered} of ${total} recorded in ${(tookMs / 1000).toFixed(1)} s = ${Math.round((1000 * delivered) / tookMs)}/s` +
      ` (CPU of each: service ${each(used.service)}, PostgreSQL ${each(used.store)}, receiver ${each(used.receiver)}, node ${each(used.node)})`,
  )
  await database.end()
  await house.close()
  if (transform === undefined) await measurePlain(node, receiver.url, total)
  await close()
}

async function measurePlain(node: EvmNode, hook: string, total: number): Promise<void> {
  const before = Number(await get(hook, {}))
  const last = String(Number(await node.request('eth_blockNumber', [])))
  const startedAt = performance.now()
  const plain = await startServer('bench/support/plain-catch-up.ts', [node.url, hook, transferTopic, '0', last], {})
  while (Number(await get(hook, {})) - before < total) await pause(50)
  const tookMs = performance.now() - startedAt
  console.log(
    `plain script of viem and fetch: ${total} sent in ${(tookMs / 1000).toFixed(1)} s = ${Math.round((1000 * total) / tookMs)}/s` +
      ` (CPU of each: ${Math.round(cpuMicros(plain.pid) / total)} µs)`,
  )
  await plain.stop()
}

/** Counts in the store only after all webhooks arrived, because counting costs PostgreSQL time that it needs for the work. */
async function allDelivered(total: number, hook: string, database: pg.Client): Promise<number> {
  const endMs = performance.now() + 300_000
  let delivered = 0
  while (delivered < total && performance.now() < endMs) {
    await pause(50)
    if (Number(await get(hook, {})) >= total) delivered = await countDelivered(database)
  }
  return delivered > 0 ? delivered : countDelivered(database)
}

async function countDelivered(database: pg.Client): Promise<number> {
  const { rows } = await database.query("select count(*)::int as count from deliveries where status = 'delivered'")
  return rows[0].count
}
