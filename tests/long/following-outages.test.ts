import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Following, follow, until } from '../harness/following.ts'
import { customSource, type Harness, harness, type Person, project, trigger } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import type { Call, Fault } from '../nodes/faulty-endpoint.ts'
import { type MisbehavingNode, misbehavingNode, type Scenario } from '../nodes/misbehaving-node.ts'
import { startSolana } from '../nodes/solana.ts'

/** What a source tells while its only node is wrong in one way and then in another. */
let house: Harness
let ann: Person
let node: EvmNode
let endpoint: MisbehavingNode
let following: Following
/** Milliseconds added to the service's clock. */
let elapsed = 0

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  node = await startEvmNode()
  for (let block = 0; block < 5; block += 1) await node.request('evm_mine')
  endpoint = await misbehavingNode(node)
  following = await follow(house, { now: () => performance.now() + elapsed })
  await ann.saveCustomSource({ fullname: 'acme.s', body: customSource('acme.s', { endpoints: [endpoint.url] }) })
  const triggerSpec = { type: 'evm_block', dataSource: 'acme.s' } as const
  await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t', { triggerSpec }) })
  await until(source, ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock === 5)
})
afterAll(async () => {
  await following.stop()
  await endpoint.close()
  await node.close()
  await house.close()
})

const source = () => ann.getCustomSource({ fullname: 'acme.s' })
const logged = async (fullname: string) =>
  (await ann.getCustomSourceLogs({ fullname, query: { limit: '500' } })).entries
const errors = async () =>
  (await logged('acme.s')).filter(({ level }) => level === 'error').map(({ message }) => message)
/** Waits until the node was asked some times more. */
async function askedAgain(times = 5): Promise<void> {
  const before = endpoint.calls.length
  await until(
    async () => endpoint.calls.length,
    (calls) => calls >= before + times,
  )
}

/** The node's latest block is this one. */
const setBackTo = (number: string): Scenario => ({
  change: async ({ method, params }: Call, _truth, ask): Promise<Fault> =>
    method === 'eth_getBlockByNumber' && params[0] === 'latest'
      ? { result: await ask(method, [number, params[1]]) }
      : undefined,
})

test('a node that stays behind what was processed is told, and stays told until it is back', async () => {
  endpoint.turn(setBackTo('0x2'))
  await until(source, ({ runtime }) => runtime?.latestBlock === 2)
  await askedAgain()
  expect((await source()).status.status).toBe('running')
  elapsed += 31_000
  const { status } = await until(source, ({ status }) => status.status === 'error')
  expect(status.message).toMatch(/The node is at block 2, but block 5 is already processed/)
  await askedAgain()
  expect((await source()).status).toMatchObject({ status: 'error', message: status.message })
  expect(await errors()).toEqual([status.message])
})

test('the status and the log tell the present cause of an outage, not the first one', async () => {
  endpoint.turn({ refuse: () => (response) => void response.writeHead(503).end() })
  const failing = await until(source, ({ status }) => /HTTP 503/.test(status.message ?? ''))
  expect(failing.status).toMatchObject({ status: 'error', code: 'source.unavailable', previousStatus: 'running' })
  await until(errors, (lines) => lines.length === 2)
  endpoint.turn(setBackTo('0x2'))
  await until(source, ({ status }) => /is already processed/.test(status.message ?? ''))
  // Both causes were logged, and neither is logged again within ten minutes.
  expect(await errors()).toHaveLength(2)
  endpoint.turn()
  await until(source, ({ status }) => status.status === 'running')
})

test('calls that wait for a rate limit for long are told as an outage', async () => {
  endpoint.turn({ refuse: () => (response) => void response.writeHead(429).end() })
  await node.request('evm_mine')
  const limited = await until(source, ({ status }) => status.status === 'error', 60_000)
  expect(limited.status.message).toMatch(/have not answered for \d+ s\. .*HTTP 429/)
  endpoint.turn()
  await until(source, ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock === 6)
})

test('a head that stands still is told within a minute, also while the block time of the chain is not known', async () => {
  const rest = async () =>
    (await logged('acme.s')).filter(({ message }) => /^No new block for about a minute/.test(message))
  expect(await rest()).toEqual([])
  elapsed += 54_000
  const { status } = await until(source, ({ status }) => /^No new block for about a minute/.test(status.message ?? ''))
  expect(status.status).toBe('running')
  await askedAgain()
  expect(await rest()).toHaveLength(1)
  await node.request('evm_mine')
  await until(source, ({ status, runtime }) => status.message === undefined && runtime?.processedBlock === 7)
})

test('a web socket that announces blocks late costs nothing but a line in the log', async () => {
  const announced: unknown[] = []
  const late = await misbehavingNode(node, {
    announce: (head) => {
      announced.push(head)
      return announced.length > 3 ? announced.shift() : undefined
    },
  })
  const fullname = 'acme.late'
  await ann.saveCustomSource({ fullname, body: customSource(fullname, { endpoints: [late.wsUrl] }) })
  const found = () => ann.getCustomSource({ fullname })
  await until(found, ({ status }) => status.status === 'running')
  const isTold = async () =>
    (await logged(fullname)).some(({ message }) => /announces blocks late: .* when block/.test(message))
  for (let block = 0; block < 40 && !(await isTold()); block += 1) {
    const head = Number(await node.request('evm_mine').then(() => node.request('eth_blockNumber')))
    await until(found, ({ runtime }) => runtime?.processedBlock === head)
  }
  expect(await isTold()).toBe(true)
  // From now on the blocks are found by reading the head, several times a second while no block time is known.
  for (let block = 0; block < 5; block += 1) {
    const before = late.calls.length
    await until(
      async () => late.calls.length,
      (calls) => calls > before + 2,
    )
  }
  await ann.deleteCustomSource({ fullname })
  await late.close()
})

test('a Solana slot that the node wrongly calls skipped is told, and read once the node has it', async () => {
  const double = await startSolana()
  double.produceBlock()
  const wrong = await misbehavingNode(double)
  const fullname = 'acme.skipped'
  const body = customSource(fullname, { kind: 'solana', endpoints: [wrong.url] })
  await ann.saveCustomSource({ fullname, body })
  const found = () => ann.getCustomSource({ fullname })
  await until(found, ({ status }) => status.status === 'running')
  // Blocks that nobody listens to are skipped.
  const triggerSpec = { type: 'solana_event', dataSource: fullname, programId: double.emitter } as const
  await ann.saveTrigger({ fullname: 'acme.p.s', body: trigger('acme.p.s', { triggerSpec }) })
  await ann.createSubscription({ body: { workspace: 'acme', project: 'acme.p', trigger: 'acme.p.s', resources: [] } })
  let hidden: number | undefined
  wrong.turn({
    refuse: ({ method, params }) =>
      method === 'getBlock' && params[0] === hidden
        ? { error: { code: -32009, message: `Slot ${hidden} was skipped, or missing in long-term storage` } }
        : undefined,
  })
  double.produceBlock()
  hidden = 1 + double.produceBlock()
  double.produceBlock()
  const last = double.produceBlock()
  const before = wrong.calls.length
  await until(
    async () => wrong.calls.length,
    (calls) => calls > before + 8,
  )
  elapsed += 31_000
  const told = await until(found, ({ status }) => status.status === 'error')
  expect(told.status.message).toMatch(/does not return the block after \d+\. It may say that a slot was skipped/)
  wrong.turn()
  await until(found, ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock === last)
  await ann.deleteCustomSource({ fullname })
  await wrong.close()
  await double.close()
})
