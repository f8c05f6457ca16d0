/** A source on a real node whose blocks a test can hold back, and subscriptions that run over its past blocks. */
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { type Call, faultyEndpoint } from '../nodes/faulty-endpoint.ts'
import { type Receiver, startReceiver } from './deliveries.ts'
import { query, until } from './following.ts'
import { customSource, type Harness, harness, type Person, project, resource, subscription, trigger } from './index.ts'

export type HistoryFixture = {
  house: Harness
  ann: Person
  receiver: Receiver
  node: EvmNode
  /**
   * `isHeldBack`: the node does not answer this block. `prunedBelow`: it has deleted the blocks before this one. `resultOf`:
   * its result for a call, if it is not the true one. `isRefused`: it lacks the block of this call.
   */
  faults: {
    isHeldBack?: ((number: number) => boolean) | undefined
    prunedBelow?: number
    resultOf?: ((call: Call) => unknown) | undefined
    isRefused?: ((call: Call) => boolean) | undefined
  }
  /** Emits a log with this value, alone in its block. */
  emit(value: number): Promise<unknown>
  headNumber(): Promise<number>
  /** Subscribes to `acme.p.<name>`, with a webhook. */
  subscribe(extra: Extra, name?: string): ReturnType<Person['createSubscription']>
  /** Saves a trigger on the logs of the source. */
  saveTrigger(name: string, extra?: object): Promise<unknown>
  /** The values of a subscription's alerts, in the order in which they were recorded. */
  valuesOf(id: string): Promise<{ n: number; backfilled: boolean }[]>
  ended(id: string, state?: string): ReturnType<Person['getSubscription']>
  /** The `data` of the webhooks of a subscription. */
  sentTo(id: string): { id: string; raw: { n: number }; [field: string]: unknown }[]
  /** Waits until the stored checkpoint of the source is at this block. */
  processed(number: number): Promise<unknown>
  /** Waits until the service has stored a head of this number. */
  seen(number: number): Promise<unknown>
  close(): Promise<void>
}
type Extra = Partial<Parameters<Person['createSubscription']>[0]['body']>

export const topic = `0x${'7'.repeat(64)}`
export const source = 'acme.evm'

/** The blocks 2 to 9 have one log each, with the values 0 to 7. */
export async function historyFixture(variables: Parameters<typeof harness>[0]): Promise<HistoryFixture> {
  const house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on', ...variables })
  const receiver = await startReceiver()
  const node = await startEvmNode()
  const emit = (value: number) => node.emit([topic], `0x${value.toString(16).padStart(64, '0')}`)
  for (let value = 0; value < 8; value += 1) await emit(value)
  const faults: HistoryFixture['faults'] = {}
  const proxy = await faultyEndpoint(node.url, (call) => faultOf(faults, call))
  const ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await ann.saveResource({ fullname: 'acme.hook', body: resource('acme.hook', { data: { url: receiver.url } }) })
  await ann.saveCustomSource({ fullname: source, body: customSource(source, { endpoints: [proxy.url] }) })
  const close = async () => {
    await house.close()
    receiver.close()
    await proxy.close()
    await node.close()
  }
  const fixture = { house, ann, receiver, node, faults, emit, close, ...looks(house, ann, receiver, node) }
  await fixture.saveTrigger('logs')
  return fixture
}

function faultOf({ isHeldBack, prunedBelow = 0, resultOf, isRefused }: HistoryFixture['faults'], call: Call) {
  const {
    method,
    params: [param],
  } = call
  if (isRefused?.(call)) return { error: { code: -32000, message: 'header not found' } }
  const result = resultOf?.(call)
  if (result !== undefined) return { result }
  if (method !== 'eth_getBlockByNumber') return undefined
  if (isHeldBack?.(Number(param))) return { error: { code: -32000, message: 'the node is busy' } }
  const isPruned = Number(param) < prunedBelow
  return isPruned ? { error: { code: -32000, message: 'pruned history unavailable' } } : undefined
}

function looks(house: Harness, ann: Person, receiver: Receiver, node: EvmNode) {
  const triggerSpec = { type: 'evm_log', dataSource: source } as const
  return {
    headNumber: async () => Number(await node.request('eth_blockNumber')),
    subscribe: (extra: Extra, name = 'logs') =>
      ann.createSubscription({ body: subscription(`acme.p.${name}`, { resources: ['acme.hook'], ...extra }) }),
    saveTrigger: (name: string, extra: object = {}) =>
      ann.saveTrigger({
        fullname: `acme.p.${name}`,
        body: trigger(`acme.p.${name}`, { triggerSpec, transform: '({ n: Number(source.data) })', ...extra }),
      }),
    valuesOf: (id: string) =>
      query<{ n: number; backfilled: boolean }>(
        house,
        "select (trace->'raw'->>'n')::int as n, backfilled from alerts where subscription_id = $1 order by seq",
        [id],
      ),
    ended: (id: string, state = 'done') =>
      until(
        () => ann.getSubscription({ id }),
        ({ history }) => history?.state === state,
      ),
    sentTo: (id: string) =>
      receiver.received
        .filter(({ path }) => receiver.url.endsWith(path))
        .map(({ body }) => JSON.parse(body).data)
        .filter(({ subscription }) => subscription === id),
    processed: (number: number) => followerAt(house, 'number', number),
    seen: (number: number) => followerAt(house, 'head', number),
  }
}

/** The report of a source can be stored before its checkpoint. */
function followerAt(house: Harness, column: 'number' | 'head', number: number): Promise<unknown> {
  return until(
    () => query(house, `select from followers where source = $1 and ${column} >= $2`, [source, number]),
    (rows) => rows.length === 1,
  )
}
