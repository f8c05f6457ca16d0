import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@tocsin/sdk'
import type pg from 'pg'
import { openPool } from '../../server/src/store/core/pool.ts'
import { customSource, project, resource, subscription, trigger } from '../harness/records.ts'
import { Chain, contract, createdAbi, factory, wantedMethod } from './chain.ts'
import { type Chance, makeChance } from './chance.ts'
import { type Mixed, subscribeMixed } from './mixed.ts'
import { type SimulatedNode, startNode } from './node.ts'
import { countsAll } from './outputs.ts'
import { type ServiceProcess, startServiceProcess } from './processes.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { mapStories, type Stories } from './stories.ts'
import { type Traits, traitsOf } from './traits.ts'

/** Chains, their nodes, a receiver and the services between them, on one PostgreSQL. */
export type World = {
  chains: SimulatedChain[]
  receiver: Receiver
  services: ServiceProcess[]
  /** Starts a service that replaces an ended one. */
  restart(index: number): Promise<void>
  /** The last warnings and errors that the services logged. */
  logLines(): string[]
  /** Sets the fault rate of the nodes. */
  troubleRate: number
  database: pg.Pool
  close(): Promise<void>
}
export type SimulatedChain = {
  seed: number
  chain: Chain
  chance: Chance
  /** The last block before the subscription existed. */
  base: number
  source: string
  subscriptionId: string
  /** Subscriptions to the same logs with policies that fire and resolve; `stories.ts` checks them. */
  stories: Stories
  /** The subscription whose alerts wait until `confirmations` blocks stand on their block. */
  confirmingId: string
  /** The trigger on transactions, if the chain's transactions cannot be read. */
  transactions: string | undefined
  /** The subscription to a trigger on the same logs whose runs are parked until a late answer is there. */
  parkedId: string | undefined
  /** The subscription to a trigger on the same logs with a state window; `windows.ts` checks it. */
  windowId: string
  /** True if the triggers are on calls, not on logs. */
  watchesCalls: boolean
  /** If the chain has a mixed load; `mixed.ts` checks it. */
  mixed: Mixed | undefined
}
export type WorldOptions = {
  databaseUrl: string
  dataDir: string
  seeds: readonly number[]
  processes: number
  /** Adds a trigger with parked runs to each chain. They wait by the clock of the service, so it must not jump. */
  parks?: boolean
  /** Traits that do not depend on the seed. */
  traits?: Partial<Traits>
  /** The time that a node has to answer. Where nodes hang, it must be short. */
  sourceTimeoutMs?: number
}

/** The number of items in the state window of each chain. */
export const windowSize = 3
/** What the alerts of the second subscription of each chain wait for. */
export const confirmations = 2

type Client = ReturnType<typeof createClient>
type Spec = NonNullable<NonNullable<Parameters<typeof trigger>[1]>['triggerSpec']>

export const token = 'tcn_personal_simulation_simulation_simulation'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'

/** All children of the factory count: the service must read the blocks before the save for them. */
const children = {
  factory: { contract: factory, event: 'Created', abiFragment: createdAbi, parameter: 'child', fromBlock: 0 },
}

export async function makeWorld(options: WorldOptions): Promise<World> {
  const { databaseUrl, dataDir, processes, sourceTimeoutMs = 1_500 } = options
  const variables = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    MARKETPLACE: 'off',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '8',
    SECRET_KEY: 'simulation '.repeat(4),
    ADMIN_TOKEN: token,
    ALLOW_PRIVATE_NETWORKS: 'on',
    RATE_ACCOUNT_PER_MINUTE: '1000000',
    SOURCE_TIMEOUT_MS: String(sourceTimeoutMs),
    LOG_LEVEL: 'warn',
    IS_ALONE: processes === 1 ? 'yes' : 'no',
  }
  const receiver = await startReceiver()
  const lines: string[] = []
  const start = () => startServiceProcess(variables, (line) => keepLast(lines, line))
  const services: ServiceProcess[] = []
  for (let started = 0; started < processes; started++) services.push(await start())
  const nodes: SimulatedNode[] = []
  const world: World = {
    chains: [],
    receiver,
    services,
    troubleRate: 0,
    database: openPool(databaseUrl, 2),
    restart: async (index) => {
      services[index] = await start()
    },
    logLines: () => [...lines],
    close: async () => {
      await Promise.all(services.map((service) => service.kill()))
      await Promise.all(nodes.map((node) => node.close()))
      await receiver.close()
      await world.database.end()
    },
  }
  world.chains = await subscribeTo(options, world, nodes)
  return world
}

const linesMax = 100

function keepLast(lines: string[], line: string): void {
  lines.push(line)
  if (lines.length > linesMax) lines.shift()
}

async function subscribeTo(
  { seeds, parks = false, traits: given }: WorldOptions,
  world: World,
  nodes: SimulatedNode[],
): Promise<SimulatedChain[]> {
  const client = createClient({ baseUrl: world.services[0]?.url ?? '', token, retries: 0 })
  await client.saveWorkspace({ fullname: 'sim', body: { fullname: 'sim' } })
  await client.saveProject({ fullname: 'sim.p', body: project('sim.p') })
  await client.saveResource({
    fullname: 'sim.hook',
    body: resource('sim.hook', { data: { url: world.receiver.url, secret: 'shared' } }),
  })
  const chains: SimulatedChain[] = []
  for (const seed of seeds) {
    const chance = makeChance(seed)
    const traits = { ...traitsOf(seed), ...given }
    const chain = new Chain(chance, traits.hasFactory, traits.hasLargeBlocks)
    const own: SimulatedNode[] = []
    for (const [index, refusal] of traits.refusals.entries()) {
      const traces = traits.traces[index] ?? 'trace_block'
      const options = { traits, refusal, traces, troubleRate: () => world.troubleRate }
      own.push(await startNode(chain, makeChance(seed + (index + 1) * 1e6), options))
    }
    nodes.push(...own)
    const source = `sim.s${seed}`
    await client.saveCustomSource({
      fullname: source,
      body: customSource(source, {
        endpoints: own.map((node, at) => (at === 0 && traits.socket ? node.wsUrl : node.url)),
      }),
    })
    const subscribed = await subscribe(client, seed, traits, parks ? world.receiver.url : undefined)
    const base = chain.head.number
    const mixed = traits.isMixed ? await subscribeMixed(client, `sim.p.t${seed}`, source, base) : undefined
    const { watchesCalls } = traits
    chains.push({ seed, chain, chance, base, source, ...subscribed, watchesCalls, mixed })
  }
  for (const { source, base } of chains)
    await until(`${source} is followed`, async () => {
      const { runtime } = await client.getCustomSource({ fullname: source })
      return runtime?.processedBlock === base
    })
  return chains
}

type SubscribedFields = 'subscriptionId' | 'confirmingId' | 'stories' | 'transactions' | 'parkedId' | 'windowId'

/** Subscribes to the logs of a chain, or to the calls that its traces show. If its transactions cannot be read, a second trigger listens to them and must not stop the logs. */
async function subscribe(
  client: Client,
  seed: number,
  traits: Traits,
  lateUrl: string | undefined,
): Promise<Pick<SimulatedChain, SubscribedFields>> {
  const dataSource = `sim.s${seed}`
  const name = `sim.p.t${seed}`
  const transactions = traits.hasUnreadableTransactions ? `${name}-transactions` : undefined
  if (transactions !== undefined) {
    const triggerSpec = { type: 'evm_transaction', dataSource } as const
    await client.saveTrigger({ fullname: transactions, body: trigger(transactions, { triggerSpec }) })
    await client.createSubscription({ body: subscription(transactions) })
  }
  const named = traits.hasFactory ? { contract: children } : traits.namesContract ? { contract } : {}
  const triggerSpec = traits.watchesCalls
    ? ({ type: 'evm_call', dataSource, method: wantedMethod, internal: true, ...named } as const)
    : ({ type: 'evm_log', dataSource, abiFragment, ...named } as const)
  await client.saveTrigger({ fullname: name, body: trigger(name, { triggerSpec }) })
  const { id } = await client.createSubscription({ body: subscription(name, { resources: ['sim.hook'] }) })
  const stories = await mapStories(async (policy) => {
    const body = subscription(name, { resources: ['sim.hook'], policy })
    return (await client.createSubscription({ body })).id
  })
  const delivery = { finality: { confirmations } }
  const confirming = await client.createSubscription({
    body: subscription(name, { resources: ['sim.hook'], delivery }),
  })
  const parkedId =
    lateUrl === undefined ? undefined : await subscribeParked(client, `${name}-parked`, triggerSpec, lateUrl)
  const windowId = await subscribeWindow(client, `${name}-window`, triggerSpec)
  return { subscriptionId: id, confirmingId: confirming.id, stories, transactions, parkedId, windowId }
}

/** The last three items of the chain, in their order. */
async function subscribeWindow(client: Client, fullname: string, triggerSpec: Spec): Promise<string> {
  const value = triggerSpec.type === 'evm_call' ? '{{source.input}}' : '{{source.data}}'
  const window = {
    id: 'w',
    type: 'state_window',
    dedupeBy: value,
    value,
    valueType: 'string',
    keepLast: windowSize,
  } as const
  const transform = '({ values: providers.w.values })'
  await client.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec, providers: [window], transform }) })
  return (await client.createSubscription({ body: subscription(fullname) })).id
}

/** Each item has its own request. The first answers are empty lists, so every run is parked once or twice. */
async function subscribeParked(client: Client, fullname: string, triggerSpec: Spec, lateUrl: string): Promise<string> {
  const path =
    triggerSpec.type === 'evm_call' ? '{{source.block.hash}}/{{source.input}}' : '{{source.blockHash}}/{{source.data}}'
  const retry = { attempts: 20, delayMs: 250, backoff: 'fixed' as const, retryOn: ['empty_array' as const] }
  const providers = [{ id: 'late', type: 'http' as const, url: `${lateUrl}/${path}`, retry }]
  await client.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec, providers }) })
  const { id } = await client.createSubscription({ body: subscription(fullname, { resources: ['sim.hook'] }) })
  return id
}

/**
 * Subscribes to a chain's logs from the first followed block on. If the chain has parked runs, a second history has them, with
 * a policy that counts all its outputs. The oracle finds the histories in the store.
 */
export async function startHistory({ services }: World, { base, seed, parkedId }: SimulatedChain): Promise<void> {
  const client = createClient({ baseUrl: services[0]?.url ?? '', token, retries: 0 })
  const from = { block: base + 1 }
  if (parkedId !== undefined)
    await client.createSubscription({ body: subscription(`sim.p.t${seed}-parked`, { policy: countsAll, from }) })
  const body = subscription(`sim.p.t${seed}`, { resources: ['sim.hook'], from, deliverHistory: true })
  await client.createSubscription({ body })
}

/** A busy machine needs longer for the services and for each look, so the looks are counted, not the time. */
const looksMax = 1_200

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks++) {
    if (looks === looksMax) throw new Error(`It never came to be that ${what}.`)
    await pause(100)
  }
}
