import { createClient } from '@tocsin/sdk'
import { subscription, trigger } from '../harness/records.ts'
import { wantedMethod } from './chain.ts'
import type { Chance } from './chance.ts'
import { itemKey } from './item-key.ts'
import { lostBlocksOf } from './lost-blocks.ts'
import { type SimulatedChain, token, type World } from './world.ts'

/**
 * A mixed load: three triggers match the logs, the transactions and the calls of the same blocks, and subscriptions to them
 * are made and removed while the chain grows. Each item has one alert for each subscription that was there before its block.
 */
export type Mixed = {
  triggers: Record<Kind, string>
  /** The first three are there from the beginning. */
  subscriptions: MixedSubscription[]
  /** When the alert of a call was first seen without the alert of its log, by the key of both. */
  waiting: Map<string, number>
  /** The longest time that the alert of a log was seen to come after that of its call. */
  latestMs: number
}
type Kind = 'log' | 'transaction' | 'call'
/** `base`: the last block that was there before the service said that the subscription is made. */
type MixedSubscription = { id: string; kind: Kind; base: number }
type Client = ReturnType<typeof createClient>

const kinds: readonly Kind[] = ['log', 'transaction', 'call']
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'

export async function subscribeMixed(client: Client, name: string, dataSource: string, base: number): Promise<Mixed> {
  const specs = {
    log: { type: 'evm_log', dataSource, abiFragment },
    transaction: { type: 'evm_transaction', dataSource },
    call: { type: 'evm_call', dataSource, method: wantedMethod, internal: true },
  } as const
  const triggers = { log: `${name}-mixed-logs`, transaction: `${name}-mixed-transactions`, call: `${name}-mixed-calls` }
  const subscriptions: MixedSubscription[] = []
  for (const kind of kinds) {
    const fullname = triggers[kind]
    await client.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec: specs[kind] }) })
    const { id } = await client.createSubscription({ body: subscription(fullname) })
    subscriptions.push({ id, kind, base })
  }
  return { triggers, subscriptions, waiting: new Map(), latestMs: 0 }
}

/** Makes or removes a subscription. A service that is being killed may refuse: then the subscription is not compared. */
export async function changeSubscriptions({ services }: World, { chain, mixed }: SimulatedChain, fate: Chance) {
  const service = services[fate.below(services.length)]
  if (!mixed || !service) return
  const client = createClient({ baseUrl: service.url, token, retries: 0 })
  const [kind = 'log'] = kinds.slice(fate.below(kinds.length))
  const last = mixed.subscriptions.length - kinds.length
  if (last > 0 && fate.happens(0.4)) {
    const [removed] = mixed.subscriptions.splice(kinds.length + fate.below(last), 1)
    if (removed) await client.deleteSubscription({ id: removed.id }).catch(() => undefined)
    return
  }
  const made = await client.createSubscription({ body: subscription(mixed.triggers[kind]) }).catch(() => undefined)
  if (made) mixed.subscriptions.push({ id: made.id, kind, base: chain.head.number })
}

type Row = { key: string; number: number; index: number; isLive: boolean }

/**
 * Each item of the present chain has one alert; the alerts of one block are in the order of the chain. Transactions and calls
 * may be missing in the blocks that the source's log names because nodes did not return their transactions for so long.
 */
export async function* compareMixed(world: World, { chain, mixed, source }: SimulatedChain): AsyncIterable<string> {
  if (!mixed) return
  await noteLogs(world, mixed)
  const lost = await lostBlocksOf(world, source)
  for (const { id, kind, base } of mixed.subscriptions) {
    const rows = (await readRows(world, id, kind)).filter(({ isLive }) => isLive)
    const found = new Set(rows.map(({ key }) => key))
    const what = `${id} on each ${kind}`
    const isLost = (number: number) => kind !== 'log' && lost.some(({ from, to }) => number >= from && number <= to)
    for (const { key, number } of itemsOf(chain, kind, base + 1))
      if (!found.has(key) && !isLost(number)) yield `${what}: ${key} has no alert`
    const allowed = new Set(itemsOf(chain, kind, 0).map(({ key }) => key))
    for (const { key } of rows) if (!allowed.has(key)) yield `${what} tells of ${key}, which is not on the chain`
    if (rows.length > found.size) yield `${what} has ${rows.length - found.size} alerts too many`
    for (const [at, row] of rows.entries()) {
      const before = rows[at - 1]
      if (before?.number === row.number && before.index > row.index) yield `${what}: ${row.key} is not in order`
    }
  }
}

/** Notes which alerts of calls are there without those of their logs, and how long they wait for them. */
export async function noteLogs({ database }: World, mixed: Mixed): Promise<void> {
  const [log, , call] = mixed.subscriptions
  const { rows } = await database.query<{ key: string }>(
    `select ${itemKey('trace')} as key from alerts where subscription_id = $1
     except select ${itemKey('trace')} from alerts where subscription_id = $2`,
    [call?.id, log?.id],
  )
  const missing = new Set(rows.map(({ key }) => key))
  const now = performance.now()
  for (const [key, since] of mixed.waiting)
    if (!missing.has(key)) {
      mixed.latestMs = Math.max(mixed.latestMs, now - since)
      mixed.waiting.delete(key)
    }
  for (const key of missing) if (!mixed.waiting.has(key)) mixed.waiting.set(key, now)
}

function itemsOf(chain: SimulatedChain['chain'], kind: Kind, from: number): { key: string; number: number }[] {
  const numbers = Array.from({ length: Math.max(0, chain.head.number + 1 - from) }, (_, at) => from + at)
  return numbers.flatMap((number) => {
    const { hash = '', logs = [] } = chain.byNumber(number) ?? {}
    if (kind === 'transaction') {
      const count = (logs.at(-1)?.transaction ?? -1) + 1
      return Array.from({ length: count }, (_, index) => ({ key: `${hash}:${index}`, number }))
    }
    return logs.flatMap(({ isWanted, data }) => (isWanted ? [{ key: `${hash}:${data}`, number }] : []))
  })
}

async function readRows({ database }: World, subscriptionId: string, kind: Kind): Promise<Row[]> {
  const item = "trace->'item'"
  const index = kind === 'transaction' ? 'index' : 'transactionIndex'
  const key = kind === 'transaction' ? `${item}->'block'->>'hash' || ':' || (${item}->>'index')` : itemKey('trace')
  const { rows } = await database.query<Row>(
    `select ${key} as key, block_number::int as number, (${item}->>'${index}')::int as index,
       status <> 'retracted' as "isLive"
     from alerts where subscription_id = $1 order by seq`,
    [subscriptionId],
  )
  return rows
}
