import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Following, follow, query, queued, until } from '../harness/following.ts'
import { customSource, type Harness, harness, type Person, project, trigger } from '../harness/index.ts'
import { anchorHash } from '../nodes/connected-solana.ts'
import { type MisbehavingNode, misbehavingNode } from '../nodes/misbehaving-node.ts'
import { scenarios } from '../nodes/scenarios.ts'
import { startSolana } from '../nodes/solana.ts'
import { startSubstrateNode } from '../nodes/substrate.ts'

let house: Harness
let ann: Person
let following: Following

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  following = await follow(house)
})
afterAll(async () => {
  await following.stop()
  await house.close()
})

async function run(name: string, kind: 'substrate' | 'solana', endpoint: string): Promise<void> {
  await ann.saveCustomSource({
    fullname: `acme.${name}`,
    body: customSource(`acme.${name}`, { kind, endpoints: [endpoint] }),
  })
  await until(
    async () => (await ann.getCustomSource({ fullname: `acme.${name}` })).status,
    ({ status }) => status === 'running',
    60_000,
  )
}
async function listen(name: string, body: Parameters<typeof trigger>[1], conditions?: object): Promise<string> {
  const fullname = `acme.p.${name}`
  const { id } = await ann.saveTrigger({ fullname, body: trigger(fullname, body) })
  const common = { workspace: 'acme', project: 'acme.p', trigger: fullname, resources: [] }
  await ann.createSubscription({ body: { ...common, ...(conditions as object) } })
  return id
}
/** The same node through two more endpoints: one announces heads before their blocks can be read, one allows three calls per second. */
async function badSides(node: { url: string; wsUrl: string }): Promise<Record<'late' | 'limited', MisbehavingNode>> {
  return {
    late: await misbehavingNode(node, scenarios.lateBlocks(400)),
    limited: await misbehavingNode(node, scenarios.callsPerSecond(3)),
  }
}
const matchesOf = async (id: string) =>
  (await queued(house)).filter(({ data }) => data.triggerId === id).flatMap(({ data }) => data.matches)

test('a Solana event is found once, behind slots that have no block', async () => {
  const double = await startSolana()
  double.produceBlock()
  const { late, limited } = await badSides(double)
  await run('solana', 'solana', double.url)
  await run('solana-late', 'solana', late.wsUrl)
  await run('solana-limited', 'solana', limited.url)
  const idl = {
    address: double.emitter,
    metadata: { name: 'shop', version: '0.1.0', spec: '0.1.0' },
    instructions: [],
    events: [{ name: 'Bought', discriminator: [...anchorHash('event:Bought')] }],
    types: [{ name: 'Bought', type: { kind: 'struct', fields: [{ name: 'amount', type: 'u64' }] } }],
  }
  const filtersSchema = { amount: { type: 'integer', sourcePath: 'params.amount' } }
  const listenTo = (source: string) => {
    const triggerSpec = { type: 'solana_event', dataSource: source, programId: double.emitter, event: 'Bought', idl }
    const conditions = { param: 'amount', op: 'gte', value: 7 }
    return listen(`bought-${source.split('.')[1]}`, { triggerSpec, filtersSchema } as never, { conditions })
  }
  const id = await listenTo('acme.solana')
  const invoked = { type: 'solana_instruction', dataSource: 'acme.solana', programId: double.emitter } as const
  const executed = await listen('executed', { triggerSpec: invoked })
  const others = [await listenTo('acme.solana-late'), await listenTo('acme.solana-limited')]
  const emit = async (amount: bigint) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(amount)
    await double.emit({ by: 'both' }, Buffer.concat([anchorHash('event:Bought'), bytes]))
  }
  await emit(7n)
  double.produceBlock(3)
  await emit(6n)
  double.produceBlock()
  await emit(8n)
  double.produceBlock(2)
  const found = await until(
    () => matchesOf(id),
    (matches) => matches.length >= 2,
  )
  // Blocks of one commit are in the queue in any order.
  expect(new Set(found.map(({ item }) => (item.params as { amount: string }).amount))).toEqual(new Set(['7', '8']))
  expect(new Set(found.map(({ key }) => key)).size).toBe(2)
  // Each of the three transactions has an instruction that invokes itself.
  const instructions = await until(
    () => matchesOf(executed),
    (matches) => matches.length >= 6,
  )
  expect(instructions.map(({ item }) => item.path).sort()).toEqual(['0', '0', '0', '0.0', '0.0', '0.0'])
  expect(new Set(instructions.map(({ key }) => key)).size).toBe(6)
  const [row] = await query<{ number: string }>(house, "select number from followers where source = 'acme.solana'")
  expect(Number(row?.number)).toBeGreaterThan(6)
  for (const other of others) {
    const same = await until(
      () => matchesOf(other),
      (matches) => matches.length >= 2,
    )
    expect(same.map(({ key }) => key).sort()).toEqual(found.map(({ key }) => key).sort())
  }
  for (const each of [late, limited, double]) await each.close()
})

test('a Substrate event is found once, and finality is kept', async () => {
  const node = await startSubstrateNode()
  const { late, limited } = await badSides(node)
  await run('substrate', 'substrate', node.url)
  await run('substrate-late', 'substrate', late.wsUrl)
  await run('substrate-limited', 'substrate', limited.url)
  const listenTo = (source: string) => {
    const triggerSpec = { type: 'substrate_event', dataSource: source, pallet: 'balances', event: 'Transfer' } as const
    return listen(`paid-${source.split('.')[1]}`, { triggerSpec })
  }
  const id = await listenTo('acme.substrate')
  const calls = { type: 'substrate_call', dataSource: 'acme.substrate', pallet: 'balances', nested: true } as const
  const called = await listen('called', { triggerSpec: calls })
  const made = await listen('made', { triggerSpec: { type: 'substrate_block', dataSource: 'acme.substrate' } })
  const others = [await listenTo('acme.substrate-late'), await listenTo('acme.substrate-limited')]
  const { hash: blockHash } = await node.transfer(node.ann, node.bob, 123_456_789_012n)
  await node.newBlock()
  const found = await until(
    () => matchesOf(id),
    (matches) => matches.length >= 1,
    60_000,
  )
  expect(found).toHaveLength(1)
  expect(found[0]?.item).toMatchObject({ pallet: 'Balances', event: 'Transfer', params: { amount: '123456789012' } })
  const blocks = await matchesOf(made)
  expect(blocks.map(({ key }) => key)).toContain(blockHash)
  expect(blocks[0]?.item).toMatchObject({ number: expect.any(Number), author: expect.any(String) })
  const foundCalls = await matchesOf(called)
  expect(foundCalls.map(({ key }) => key)).toEqual([`${blockHash}:c2:0`])
  expect(foundCalls[0]?.item).toMatchObject({ call: 'transfer_keep_alive', sender: node.ann.address, success: true })
  const { runtime } = await ann.getCustomSource({ fullname: 'acme.substrate' })
  expect(runtime?.genesisHash).toMatch(/^0x[0-9a-f]{64}$/)
  for (const other of others) {
    const same = await until(
      () => matchesOf(other),
      (matches) => matches.length >= 1,
      60_000,
    )
    expect(same.map(({ item }) => item)).toEqual(found.map(({ item }) => item))
  }
  for (const each of [late, limited, node]) await each.close()
}, 180_000)
