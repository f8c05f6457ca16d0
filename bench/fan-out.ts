import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { serviceFlags } from '../scripts/typescript.mjs'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import { startEvmNode } from '../tests/nodes/evm.ts'
import { startCpuClock } from './support/cpu-time.ts'
import { get, median, rssMegabytes, startServer } from './support/measure.ts'
import { printPoint, printRow } from './support/row.ts'
import { startHouse, subscribe, transferTopic } from './support/runtime-house.ts'
import { seedWebhooks } from './support/seed-webhooks.ts'
import { hookUrl } from './support/signed-post.ts'

/**
 * `npm run bench -- fan-out [N …] [--hosts many]`: one event for N subscriptions with a webhook each, from mining the block to the
 * last recorded delivery, beside a plain script that sends N signed bodies to the same receiver. Then the largest N again
 * beside receivers that are slow or never answer. With `--hosts many` every webhook has a host of its own.
 */
const { values, positionals } = parseArgs({ options: { hosts: { type: 'string' } }, allowPositionals: true })
const hosts = values.hosts ?? 'one'
const counts = positionals.length > 0 ? positionals.map(Number) : [10, 100, 1_000, 10_000]
/** The first round is not counted, because code is slow until V8 has compiled it. */
const rounds = 4
const silentMany = 1_000

const node = await startEvmNode()
const receiver = await startServer('bench/support/count-hooks.ts', ['0.0.0.0'], {})
const base = receiver.url
const house = await startHouse()
await subscribe(house.client, node.wsUrl, hookUrl(base, 0, hosts))
const database = new pg.Client({ connectionString: await connectEmbedded(house.dataDir) })
await database.connect()
let made = 1
let events = 0
/** The webhooks that are slow or never answer. Nobody waits for them. */
let slowOnes: string[] = []

const eachMicros = new Map<number, number>()
for (const count of counts) {
  await addWebhooks(count, (at) => hookUrl(base, at, hosts))
  await measure(count)
}
printLinear()
await measureBeside('1 never answers', 'never', 1)
await measureBeside('1 answers after 5 s', '5000', 1)
await measureBeside(`${silentMany.toLocaleString('en')} never answer`, 'never', silentMany)
await database.end()
await house.close()
await receiver.stop()
await node.close()
process.exit()

/** Adds subscriptions with a webhook each until there are `count`. */
async function addWebhooks(count: number, urlOf: (at: number) => string): Promise<void> {
  const urls = Array.from({ length: count - made }, (_, at) => urlOf(made + at))
  await seedWebhooks(database, house.dataDir, made, urls)
  made = Math.max(made, count)
  await untilListenersFollow(urls.length)
}

/** The listeners in memory follow the store within a second; ten thousand take some seconds. */
async function untilListenersFollow(changed: number): Promise<void> {
  await pause(2_000 + changed)
}

async function measure(count: number): Promise<void> {
  const took: number[] = []
  const used: number[] = []
  for (let round = 0; round < rounds; round++) {
    const cpu = await startCpuClock({ service: house.pid, receiver: receiver.pid }, database)
    const tookMs = await timeEvent(count)
    if (round > 0) took.push(tookMs)
    const { service, store } = cpu()
    if (round > 0) used.push((service + store) / count)
  }
  const plain = runPlain(count)
  const tookMs = median(took)
  eachMicros.set(count, (1000 * tookMs) / count)
  const ratio = tookMs / plain.tookMs
  printPoint({ curve: 'fan-out', series: 'Tocsin, recorded', n: count, value: Math.round(tookMs) / 1000, unit: 's' })
  printPoint({ curve: 'fan-out', series: 'plain script', n: count, value: Math.round(plain.tookMs) / 1000, unit: 's' })
  printRow({
    what: 'one event → webhooks, all recorded, against a plain script',
    part: count.toLocaleString('en'),
    wanted: count < 100 ? '–' : '≤ 5 ×',
    seen: `${ratio.toFixed(1)} × (${seconds(tookMs)} s)`,
    ...(count >= 100 && { ok: ratio <= 5 }),
    details:
      `plain script ${seconds(plain.tookMs)} s; CPU of each webhook ${Math.round(median(used))} µs against` +
      ` ${Math.round(plain.cpuMicros / count)} µs; RSS ${Math.round(rssMegabytes(house.pid))} MB`,
  })
}

/** The time of a webhook must not grow from 100 webhooks to the largest number. */
function printLinear(): void {
  const [from, to] = [100, Math.max(...counts)]
  const [first, last] = [eachMicros.get(from), eachMicros.get(to)]
  if (first === undefined || last === undefined || to === from) return
  printRow({
    what: `time of one of ${to.toLocaleString('en')} webhooks against one of ${from}`,
    wanted: '≤ 1.2 ×',
    seen: `${(last / first).toFixed(2)} × (${Math.round(last)} µs against ${Math.round(first)} µs)`,
    ok: last <= first * 1.2,
  })
}

/** Emits one event and waits until `count` webhooks arrived and their deliveries are recorded. */
async function timeEvent(count: number): Promise<number> {
  const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
  const before = Number(await get(base, {}))
  const recordedBefore = await countDelivered()
  events += 1
  await node.emit([transferTopic, word(10), word(11)], word(events))
  const startedAt = performance.now()
  const endMs = startedAt + 300_000
  const pauseMs = Math.min(50, 5 + count / 50)
  while (Number(await get(base, {})) - before < count && performance.now() < endMs) await pause(pauseMs)
  while ((await countDelivered()) - recordedBefore < count && performance.now() < endMs) await pause(pauseMs)
  return performance.now() - startedAt
}

async function countDelivered(): Promise<number> {
  const { rows } = await database.query(
    "select count(*)::int as count from deliveries where status = 'delivered' and not (resource_id = any($1))",
    [slowOnes],
  )
  return rows[0].count
}

function runPlain(count: number): { tookMs: number; cpuMicros: number } {
  const args = [base, String(count), '900', String(rounds), hosts]
  const output = execFileSync(process.execPath, [...serviceFlags, 'bench/support/plain-posts.ts', ...args])
  const measured: { tookMs: number; cpuMicros: number }[] = JSON.parse(output.toString()).slice(1)
  return {
    tookMs: median(measured.map((each) => each.tookMs)),
    cpuMicros: median(measured.map((each) => each.cpuMicros)),
  }
}

/** The time of the working webhooks beside others on another host each, which take long or never answer. */
async function measureBeside(what: string, answerAfter: string, others: number): Promise<void> {
  const working = made
  const alone = [await timeEvent(working), await timeEvent(working)]
  const slow = await startServer('bench/support/count-hooks.ts', ['0.0.0.0', answerAfter], {})
  await addWebhooks(made + others, (at) => hookUrl(slow.url, at, 'many'))
  slowOnes = namesFrom(working).map((name) => `r-${name}`)
  const beside = [await timeEvent(working), await timeEvent(working)]
  // The others are alerts too, which are evaluated and stored, so the time is compared per alert.
  const ratio = Math.min(...beside) / (working + others) / (Math.min(...alone) / working)
  printRow({
    what: `${working.toLocaleString('en')} webhooks beside others that are slow, against alone`,
    part: what,
    wanted: '≤ 1.2 ×',
    seen: `${ratio.toFixed(2)} ×`,
    ok: ratio <= 1.2,
    details: `${beside.map(seconds).join(', ')} s against ${alone.map(seconds).join(', ')} s`,
  })
  await removeWebhooks(working)
  await slow.stop()
  await untilNothingWaits()
}

function namesFrom(first: number): string[] {
  return Array.from({ length: made - first }, (_, at) => `h${first + at}`)
}

async function removeWebhooks(from: number): Promise<void> {
  const names = namesFrom(from)
  await database.query("delete from subscriptions where id in (select 's-' || unnest($1::text[]))", [names])
  await database.query("delete from resources where id in (select 'r-' || unnest($1::text[]))", [names])
  made = from
  await untilListenersFollow(names.length)
}

/** The next comparison starts when the deliveries of the removed webhooks are dropped and no lane runs. */
async function untilNothingWaits(): Promise<void> {
  const waiting = `select 1 from deliveries where status = 'pending' union all select 1 from lanes where owner is not null limit 1`
  const endMs = performance.now() + 60_000
  while ((await database.query(waiting)).rows.length > 0 && performance.now() < endMs) await pause(200)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 1000 ? 3 : 1)
}
