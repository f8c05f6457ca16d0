import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import type { EvmNode } from '../tests/nodes/evm.ts'
import { startCpuClock } from './support/cpu-time.ts'
import { startEventLoad } from './support/event-load.ts'
import { cpuMicros, get, startServer } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe, transferTopic } from './support/runtime-house.ts'
import { seedWebhooks } from './support/seed-webhooks.ts'

/**
 * `npm run bench -- throughput [one] [script] [many] [--events N]`: events per second from the node to the recorded
 * delivery: one subscription without and with a script, and 100 subscriptions with a webhook each. The node mines as fast as the service keeps up, a few blocks ahead of the deliveries. Node,
 * service, PostgreSQL and receiver share the machine. Plain scripts that record nothing run on the same node for comparison.
 */
const { values, positionals } = parseArgs({ options: { events: { type: 'string' } }, allowPositionals: true })
const events = Number(values.events ?? 60_000)
/** Events before the measurement, because code is slow until V8 has compiled it. */
const warmUp = 20_000

const script = '({ from: source.params.from, amount: helpers.formatUnits(source.params.value, 18) })'
const kinds: Record<string, Kind> = {
  one: { name: 'one destination', destinations: 1, wanted: 1.3 },
  script: { name: 'one with a script', destinations: 1, transform: script },
  many: { name: '100 destinations', destinations: 100, wanted: 1.3 },
}
for (const name of positionals.length > 0 ? positionals : Object.keys(kinds)) {
  const kind = kinds[name]
  if (!kind) throw new Error(`There is no ${name}, only ${Object.keys(kinds).join(', ')}`)
  await measure(kind)
}
process.exit()

/** What is measured; `wanted` is the least ratio to the script that sends the same. */
type Kind = { name: string; destinations: number; transform?: string; wanted?: number }

async function measure({ name, destinations, transform, wanted }: Kind): Promise<void> {
  const { node, receiver, mine, close } = await startEventLoad(destinations)
  const house = await startHouse()
  await subscribe(house.client, node.url, receiver.url, transform)
  const database = new pg.Client({ connectionString: await connectEmbedded(house.dataDir) })
  await database.connect()
  if (destinations > 1) await addDestinations(house.dataDir, database, receiver.url, destinations)
  const first = await mine(warmUp)
  await allDelivered(first, receiver.url, database)
  const cpu = await startCpuClock({ service: house.pid, receiver: receiver.pid }, database)
  const startedAt = performance.now()
  const total = await mine(events)
  const delivered = (await allDelivered(first + total, receiver.url, database)) - first
  const perSecond = (1000 * delivered) / (performance.now() - startedAt)
  const used = cpu()
  await database.end()
  await house.close()
  const plain = await measurePlain('bare', node, receiver.url, total, destinations)
  const signed = await measurePlain('signed', node, receiver.url, total, destinations)
  const each = (micros: number) => `${Math.round(micros / total)} µs`
  const ratio = perSecond / signed.perSecond
  printRow({
    what: 'events/s from the node to the recorded delivery, against a bare script',
    part: name,
    wanted: '–',
    seen: `${(perSecond / plain.perSecond).toFixed(2)} × (${Math.round(perSecond)}/s)`,
    details:
      `bare script ${Math.round(plain.perSecond)}/s; CPU of an event: service ${each(used.service)}, PostgreSQL` +
      ` ${each(used.store)}, receiver ${each(used.receiver)}, node ${each(used.node)}, bare script ${each(plain.cpuMicros)};` +
      ` ${delivered} of ${total} recorded`,
  })
  printRow({
    what: 'the same, against a script that decodes, signs and sends the same fields',
    part: name,
    wanted: wanted === undefined ? '–' : `≥ ${wanted} ×`,
    seen: `${ratio.toFixed(2)} ×`,
    ...(wanted !== undefined && { ok: ratio >= wanted && delivered === total }),
    details: `signing script ${Math.round(signed.perSecond)}/s, ${each(signed.cpuMicros)} of CPU for an event`,
  })
  await close()
}

/** One subscription and webhook for each receiver of transfers, instead of the one for all of them. */
async function addDestinations(dataDir: string, database: pg.Client, hook: string, count: number): Promise<void> {
  const urls = Array.from({ length: count }, (_, at) => `${hook}/${at}`)
  await seedWebhooks(database, dataDir, 0, urls, (at) => ({ param: 'to', op: 'eq', value: addressOf(at) }))
  await database.query("delete from subscriptions where id not like 's-h%'")
  await pause(5_000)
}

function addressOf(at: number): string {
  return `0x${at.toString(16).padStart(40, '0')}`
}

async function measurePlain(
  mode: 'bare' | 'signed',
  node: EvmNode,
  hook: string,
  total: number,
  destinations: number,
): Promise<{ perSecond: number; cpuMicros: number }> {
  const before = Number(await get(hook, {}))
  const last = String(Number(await node.request('eth_blockNumber', [])))
  const startedAt = performance.now()
  const args = [mode, node.url, hook, transferTopic, '0', last, String(destinations)]
  const plain = await startServer('bench/support/plain-catch-up.ts', args, {})
  while (Number(await get(hook, {})) - before < total) await pause(50)
  const perSecond = (1000 * total) / (performance.now() - startedAt)
  const measured = { perSecond, cpuMicros: cpuMicros(plain.pid) }
  await plain.stop()
  return measured
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
