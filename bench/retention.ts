import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { makeSecretBox } from '../server/src/store/core/secret-box.ts'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import { openStore } from '../server/src/store/index.ts'
import { sweep } from '../server/src/sweeper.ts'
import { startCpuClock } from './support/cpu-clock.ts'
import { startEventLoad } from './support/event-load.ts'
import { get, median } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse, subscribe } from './support/runtime-house.ts'
import { withoutIndexes } from './support/without-indexes.ts'

/**
 * `npm run bench -- retention [--events N] [--rows N]`: events per second from the node to the recorded delivery, in turns
 * with and without the deletion of expired alerts beside it. The store holds that many expired alerts. The deletion is the
 * service's own sweep, run by this process without the pause of up to a minute between two sweeps.
 */
const { values } = parseArgs({ options: { events: { type: 'string' }, rows: { type: 'string' } } })
const events = Number(values.events ?? 30_000)
const rows = Number(values.rows ?? 1_000_000)
const rounds = 3
const warmUp = 20_000
const alertsDays = 90

// The service itself must not delete, because the rounds without deletion need the same rows.
process.env.RETENTION_ALERTS_DAYS = '36500'
const { node, receiver, mine, close } = await startEventLoad()
const house = await startHouse()
await subscribe(house.client, node.url, receiver.url)
const url = (await connectEmbedded(house.dataDir)) ?? ''
const database = new pg.Client({ connectionString: url })
await database.connect()
const store = openStore(url, makeSecretBox(Buffer.alloc(32, 7)), { connectionsMax: 2 })
await fill()
let mined = await mine(warmUp)
await allDelivered()

type Measurement = { perSecond: number; micros: number; deletedPerSecond: number }
const [without, beside]: [Measurement[], Measurement[]] = [[], []]
for (let round = 0; round < rounds; round++) {
  without.push(await measure())
  const stopping = new AbortController()
  const deleting = deleteExpired(stopping.signal)
  beside.push(await measure())
  stopping.abort()
  await deleting
  console.log(`round ${round + 1}: ${describe(without.at(-1))}; beside deletion ${describe(beside.at(-1))}`)
}
if ((await countExpired(1)) === 0)
  throw new Error('All expired alerts are deleted; measure with more rows or fewer events.')
const slower = ratioOf('perSecond') - 1
const deletedPerSecond = median(beside.map((each) => each.deletedPerSecond))
printRow({
  what: `ingest beside the deletion of ${rows.toLocaleString('en')} expired alerts`,
  wanted: '≤ 10 % slower',
  seen: `${(100 * slower).toFixed(1)} % slower, ${(1 / ratioOf('micros')).toFixed(2)} × the CPU of an event, ${Math.round(deletedPerSecond)} deleted/s`,
  ok: slower <= 0.1,
})
await store.close()
await database.end()
await house.close()
await close()
process.exit(0)

async function measure(): Promise<Measurement> {
  const expired = await countExpired()
  const cpu = await startCpuClock({ service: house.pid, receiver: receiver.pid }, database)
  const beganMs = performance.now()
  const total = await mine(events)
  mined += total
  await allDelivered()
  const seconds = (performance.now() - beganMs) / 1000
  const used = cpu()
  return {
    perSecond: total / seconds,
    micros: (used.service + used.store) / total,
    deletedPerSecond: (expired - (await countExpired())) / seconds,
  }
}

async function allDelivered(): Promise<void> {
  while (Number(await get(receiver.url, {})) < mined) await pause(50)
  const isPending = "select exists (select from deliveries where status = 'pending') as pending"
  while ((await database.query<{ pending: boolean }>(isPending)).rows[0]?.pending) await pause(50)
}

function describe(measured: Measurement | undefined): string {
  return `${Math.round(measured?.perSecond ?? 0)}/s, ${Math.round(measured?.micros ?? 0)} µs each`
}

/** Without deletion, divided by beside it; medians. */
function ratioOf(what: keyof Measurement): number {
  return median(without.map((each) => each[what])) / median(beside.map((each) => each[what]))
}

async function deleteExpired(stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await countExpired(1)) > 0)
    await sweep(store, { alertsDays, logsDays: alertsDays, auditDays: 365 }, new Date(), stopping).catch(
      (error: Error) => {
        if (!stopping.aborted) throw error
      },
    )
}

async function countExpired(limit = rows): Promise<number> {
  const { rows: found } = await database.query<{ count: number }>(
    `select count(*)::int as count from (select from alerts where created_at < now() - interval '${alertsDays} days' limit $1) expired`,
    [limit],
  )
  return found[0]?.count ?? 0
}

/** Expired alerts of the subscription, each with its delivery. */
async function fill(): Promise<void> {
  await withoutIndexes(database, ['alerts', 'deliveries'], async () => {
    await database.query(
      `insert into alerts (id, subscription_id, rule_id, account_id, workspace_id, project_id, trigger_id, project, trigger,
         status, source, block_number, block_hash, incarnation, item_at, message, trace, created_at, updated_at)
       select 'old_' || lpad(n::text, 12, '0'), s.id, 'trigger', s.account_id, s.workspace_id, s.project_id, s.trigger_id,
         'bench.p', 'bench.p.t', 'pending', 'bench.s', n / 100, 'block' || n / 100, 0, at, '{"title": "A transfer"}',
         '{"item": {"n": 1}, "inputs": {}, "providers": {}, "activated": true}', at, at
       from subscriptions s cross join generate_series(1, $1::int) n
       cross join lateral (select now() - interval '200 days' + n * interval '1 second' as at) made`,
      [rows],
    )
    await database.query(
      `insert into deliveries (id, alert_id, resource, blueprint, status, due_at, created_at, updated_at)
       select 'old_' || id, id, 'bench.hook', 'common.delivery.webhook', 'delivered', created_at, created_at, created_at
       from alerts`,
    )
  })
  await database.query('vacuum analyze')
  await pause(1_000)
}
