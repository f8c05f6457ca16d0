import type { Policy } from '@tocsin/contract'
import { itemKey } from './item-key.ts'
import type { SimulatedChain, World } from './world.ts'

/** Ids of subscriptions by policy. */
export type Stories = Record<'threshold' | 'count' | 'absence', string>

/**
 * The value of the threshold is the index of a log's transaction in its block: 0 is behind the bound. The count is reached
 * once, because the clock of no service moves by an hour. The absence fires and resolves all the time, by items and by the
 * clock, so only its order can be checked.
 */
const policies: Record<keyof Stories, Policy> = {
  threshold: { type: 'threshold', value: 'transactionIndex', above: 0 },
  count: { type: 'count', count: 5, within: '1h' },
  absence: { type: 'absence', within: '1s' },
}

export async function mapStories(subscribe: (policy: Policy) => Promise<string>): Promise<Stories> {
  const { threshold, count, absence } = policies
  return { threshold: await subscribe(threshold), count: await subscribe(count), absence: await subscribe(absence) }
}

/** `key` is null for an alert that no log caused. */
type Told = {
  id: string
  subscription_id: string
  state: string
  resolves: string | null
  status: string
  key: string | null
  isSettled: boolean
}

/** Compares the alerts that fire and resolve with the chain. */
export async function* compareStories(
  world: World,
  { chain, base, stories }: SimulatedChain,
  known: Set<string>,
): AsyncIterable<string> {
  const rows = await readAlerts(world, Object.values(stories))
  for (const { id } of rows) known.add(id)
  const live = rows.filter(({ status }) => status !== 'retracted')
  for (const { id, isSettled } of live) {
    if (!isSettled || !world.receiver.alerts.has(id)) yield `${id} did not arrive`
    if (world.receiver.retracted.has(id)) yield `${id} was taken back`
  }
  const of = (story: keyof Stories) => live.filter((row) => row.subscription_id === stories[story])
  yield* compareThreshold(chain.wantedLogs(base), of('threshold'))
  const counted = of('count')
  const isReached = chain.wanted(base).length >= 5
  if (isReached && counted.length !== 1) yield `the count told ${counted.length} alerts instead of one`
  const onChain = new Set<string | null>(chain.wanted(0))
  for (const { key } of counted) if (!onChain.has(key)) yield `the count tells of ${key}, which is not on the chain`
  yield* compareOrder(of('absence'))
}

async function readAlerts({ database }: World, subscriptions: readonly string[]): Promise<Told[]> {
  const { rows } = await database.query<Told>(
    `select a.id, a.subscription_id, a.state, a.resolves, a.status,
       ${itemKey('a.trace')} as key,
       not exists (select from deliveries d where d.alert_id = a.id and d.status not in ('delivered', 'dropped')) as "isSettled"
     from alerts a where a.subscription_id = any($1) order by a.seq`,
    [subscriptions],
  )
  return rows
}

/**
 * Before the first log behind the bound the state depends on blocks before the subscription, which a reorg may have
 * replaced. From there on the alerts follow from the chain.
 */
function* compareThreshold(
  logs: readonly { key: string; transaction: number }[],
  told: readonly Told[],
): Iterable<string> {
  const first = logs.findIndex(({ transaction }) => transaction === 0)
  if (first === -1) return
  const compared = logs.slice(first + 1)
  const expected: string[] = []
  let isFiring = false
  for (const { key, transaction } of compared) {
    if (transaction > 0 === isFiring) continue
    isFiring = !isFiring
    expected.push(`${isFiring ? 'firing' : 'resolved'} ${key}`)
  }
  const keys = new Set(compared.map(({ key }) => key))
  const seen = told.flatMap(({ state, key }) => (key !== null && keys.has(key) ? [`${state} ${key}`] : []))
  for (const line of expected) if (!seen.includes(line)) yield `the threshold did not tell: ${line}`
  for (const line of seen) if (!expected.includes(line)) yield `the threshold told: ${line}`
  if (new Set(seen).size < seen.length) yield 'the threshold told something twice'
}

/** Firing and resolved alerts alternate, and each resolves the one before it. */
function* compareOrder(told: readonly Told[]): Iterable<string> {
  for (const [at, { id, state, resolves }] of told.entries()) {
    const before = told[at - 1]
    if (state === 'firing' && before?.state === 'firing') yield `the absence ${before.id} fires, and ${id} too`
    if (state === 'resolved' && resolves !== before?.id) yield `the absence ${id} does not resolve the one before it`
  }
}
