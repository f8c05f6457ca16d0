import { setTimeout as pause } from 'node:timers/promises'
import { explain } from './explain.ts'
import { itemKey } from './item-key.ts'
import { lostBlocksOf } from './lost-blocks.ts'
import { compareMixed } from './mixed.ts'
import { compareOutputs } from './outputs.ts'
import { compareStories } from './stories.ts'
import { compareWindows } from './windows.ts'
import type { SimulatedChain, World } from './world.ts'
import { confirmations } from './world.ts'

type Row = { id: string; key: string; status: string; deliveries: string[] }

/**
 * Waits until no work is left, and returns the differences between alerts and chains. Every log of the present chain must
 * have exactly one alert, delivered at least once under one id; for a second subscription, once its block is confirmed.
 * Where the calls of a chain are watched, the same holds for the call of every log. Runs that are parked for a while lead to
 * the same alerts. Every other log must have none, or a retracted one. Blocks up to where following began may have alerts,
 * because a reorg may have replaced them since. A trigger on transactions that cannot be read must be broken with that
 * reason. A mixed load tells each log, transaction and call. Where calls are watched, the service may say that it lost blocks
 * because nodes did not return their traces for so long: then only a mixed load of that chain is compared. The last logs of the chain are in the state window of each item, and policies get each output once.
 */
export async function differences(world: World): Promise<string[]> {
  const isStuck = watchProgress(world, looksMin, stillMs)
  while (!(await isTrue(world))) {
    if (await isStuck()) return describe(world)
    await pause(lookMs)
  }
  return []
}

/**
 * Work that is left and does not move for so long is stuck. A job whose process died after many claims is claimed again after
 * more than a minute, so it must be longer than that.
 */
export const stillMs = 120_000
const lookMs = 200
const looksMin = 100

/**
 * Each call compares the progress of the services with the call before. It returns true if so many calls saw no progress, and
 * for so long: on a busy machine the services need longer, and so does each call.
 */
export function watchProgress(world: World, callsMin: number, msMin = 0): () => Promise<boolean> {
  let progress = ''
  let still = 0
  let since = performance.now()
  return async () => {
    const next = await progressOf(world)
    if (next !== progress) since = performance.now()
    still = next === progress ? still + 1 : 0
    progress = next
    return still > callsMin && performance.now() - since > msMin
  }
}

async function progressOf({ database, receiver }: World): Promise<string> {
  const { rows } = await database.query(
    `select (select count(*) from alerts) as alerts, (select count(*) from deliveries where status = 'delivered') as delivered,
       (select sum((runtime->>'processedBlock')::int) from custom_sources) as blocks,
       (select sum(done) from histories) as past`,
  )
  return JSON.stringify([rows, receiver.alerts.size, receiver.retracted.size])
}

async function describe(world: World): Promise<string[]> {
  const found: string[] = []
  for await (const what of compare(world)) found.push(what)
  return [...found, ...(await explain(world))]
}

/** Stops at the first difference, because a full comparison in every poll would keep a core busy. */
async function isTrue(world: World): Promise<boolean> {
  for await (const _ of compare(world)) return false
  return true
}

async function* compare(world: World): AsyncIterable<string> {
  const known = new Set<string>()
  for (const chain of world.chains) {
    if (chain.watchesCalls && (await lostBlocksOf(world, chain.source)).length > 0) {
      for (const id of await alertIdsOf(world, chain)) known.add(id)
      for await (const what of compareMixed(world, chain)) yield `seed ${chain.seed}: ${what}`
      continue
    }
    const rows = await alertsOf(world, chain.subscriptionId)
    const confirming = await alertsOf(world, chain.confirmingId)
    const parked = chain.parkedId === undefined ? undefined : await alertsOf(world, chain.parkedId)
    for (const { id } of [...rows, ...confirming, ...(parked ?? [])]) known.add(id)
    const found = [...differencesOf(chain, rows, world), ...confirmingDifferencesOf(chain, confirming, world)]
    if (parked) found.push(...differencesOf(chain, parked, world).map((what) => `with a parked run: ${what}`))
    for (const what of found) yield `seed ${chain.seed}: ${what}`
    for await (const what of compareHistories(world, chain, known)) yield `seed ${chain.seed}: ${what}`
    for await (const what of compareStories(world, chain, known)) yield `seed ${chain.seed}: ${what}`
    for await (const what of compareWindows(world, chain)) yield `seed ${chain.seed}: ${what}`
    for await (const what of compareMixed(world, chain)) yield `seed ${chain.seed}: ${what}`
  }
  for (const { seed, transactions } of world.chains)
    if (transactions !== undefined && !(await isBroken(world, transactions)))
      yield `seed ${seed}: ${transactions} does not say that its transactions cannot be read`
  for (const id of world.receiver.alerts.keys()) if (!known.has(id)) yield `${id} was told of and is no alert`
}

async function alertIdsOf({ database }: World, { seed }: SimulatedChain): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select a.id from alerts a join subscriptions s on s.id = a.subscription_id join triggers t on t.id = s.trigger_id
     where t.fullname = $1 or t.fullname like $1 || '-%'`,
    [`sim.p.t${seed}`],
  )
  return rows.map(({ id }) => id)
}

async function isBroken({ database }: World, trigger: string): Promise<boolean> {
  const { rows } = await database.query<{ reason: string | null }>(
    `select status->>'reasonCode' as reason from triggers where fullname = $1 and status->>'status' = 'broken'`,
    [trigger],
  )
  return rows[0]?.reason === 'source.unreadable_transactions'
}

function differencesOf(
  { chain, base }: Pick<SimulatedChain, 'chain' | 'base'>,
  rows: Row[],
  { receiver }: World,
  upTo?: number,
): string[] {
  const found: string[] = []
  const live = rows.filter(({ status }) => status !== 'retracted')
  const keys = new Set(live.map(({ key }) => key))
  for (const key of chain.wanted(base, upTo)) if (!keys.has(key)) found.push(`${key} has no alert`)
  const allowed = new Set(chain.wanted(0))
  for (const { key, id } of live) if (!allowed.has(key)) found.push(`${id} tells of ${key}, which is not on the chain`)
  if (live.length > keys.size) found.push(`${live.length - keys.size} alerts too many`)
  for (const { id, key, deliveries } of live) {
    if (!receiver.alerts.has(id)) found.push(`${id} of ${key} did not arrive`)
    if (deliveries.some((status) => status !== 'delivered')) found.push(`${id} of ${key} is not settled: ${deliveries}`)
    if (receiver.retracted.has(id)) found.push(`${id} of ${key} was taken back`)
  }
  for (const { id, key, status } of rows)
    if (status === 'retracted' && receiver.alerts.has(id) && !receiver.retracted.has(id))
      found.push(`${id} of ${key} arrived and was never taken back`)
  return found
}

/**
 * Subscriptions with a history have the alerts of all blocks since the first followed one, those of the history in order. If
 * they have a policy, it has got all outputs.
 */
async function* compareHistories(world: World, chain: SimulatedChain, known: Set<string>): AsyncIterable<string> {
  const { rows: histories } = await world.database.query<{
    id: string
    state: string
    reason: string | null
    counts: boolean
  }>(
    `select s.id, h.state, h.reason, s.policy is not null as counts
     from histories h join subscriptions s on s.id = h.subscription_id where h.source = $1`,
    [chain.source],
  )
  for (const { id, state, reason, counts } of histories) {
    if (state !== 'done') yield `the history of ${id} is ${state}${reason === null ? '' : `: ${reason}`}`
    if (counts) {
      yield* compareOutputs(world, chain, id)
      continue
    }
    const rows = await alertsOf(world, id)
    for (const alert of rows) known.add(alert.id)
    for (const what of differencesOf(chain, rows, world)) yield `with a history: ${what}`
    if (!(await isInOrder(world, id))) yield `the history of ${id} is not in order`
  }
}

async function isInOrder({ database }: World, subscriptionId: string): Promise<boolean> {
  const { rows } = await database.query<{ number: number }>(
    `select block_number::int as number from alerts where subscription_id = $1 and backfilled and status <> 'retracted'
      order by seq`,
    [subscriptionId],
  )
  return rows.every(({ number }, at) => number >= (rows[at - 1]?.number ?? 0))
}

/** Alerts of blocks with enough blocks on them must have arrived. Those of later blocks wait, unless a reorg made the chain shorter. */
function confirmingDifferencesOf({ chain, base }: SimulatedChain, rows: Row[], world: World): string[] {
  const confirmed = chain.head.number - confirmations
  const settled = new Set(chain.wanted(0, confirmed))
  const isSettled = ({ key, status }: Row) => settled.has(key) || status === 'retracted'
  const found = differencesOf({ chain, base }, rows.filter(isSettled), world, confirmed)
  const allowed = new Set(chain.wanted(0))
  for (const { id, key, deliveries } of rows.filter((row) => !isSettled(row))) {
    if (!allowed.has(key)) found.push(`${id} waits for ${key}, which is not on the chain`)
    if (deliveries.includes('waiting') && world.receiver.alerts.has(id)) found.push(`${id} of ${key} arrived too early`)
  }
  return found.map((what) => `after ${confirmations} confirmations: ${what}`)
}

/** An alert must always be about the same log. */
const keys = new Map<string, string>()

async function alertsOf({ database }: World, subscriptionId: string): Promise<Row[]> {
  const { rows } = await database.query<Omit<Row, 'key'>>(
    `select a.id, a.status, array(select d.status from deliveries d where d.alert_id = a.id) as deliveries
     from alerts a where a.subscription_id = $1`,
    [subscriptionId],
  )
  const unread = rows.filter(({ id }) => !keys.has(id)).map(({ id }) => id)
  const { rows: read } = await database.query<Pick<Row, 'id' | 'key'>>(
    `select id, ${itemKey('trace')} as key from alerts where id = any($1)`,
    [unread],
  )
  for (const { id, key } of read) keys.set(id, key)
  return rows.map((row) => ({ ...row, key: keys.get(row.id) ?? '' }))
}
