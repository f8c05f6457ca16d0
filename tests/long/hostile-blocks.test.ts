import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Following, follow, until } from '../harness/following.ts'
import { customSource, type Harness, harness, type Person, project, trigger } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { misbehavingNode, type Scenario } from '../nodes/misbehaving-node.ts'

/** Blocks that once stopped a source for ever, followed by the whole service. */
const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const word = (hex: string) => `0x${hex.padStart(64, '0')}`

let house: Harness
let ann: Person
let node: EvmNode
let following: Following
const opened: (() => Promise<void>)[] = []

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  node = await startEvmNode({ blockReceipts: true })
  await emit(0)
  following = await follow(house)
})
afterAll(async () => {
  await following.stop()
  await house.close()
  for (const close of opened) await close()
  await node.close()
})

const emit = (value: number) => node.emit([topic0, word('1'), word('2')], word(value.toString(16)))
type Json = Record<string, unknown>

/** A source behind this scenario with a trigger on logs and one on transactions of it. */
async function watch(name: string, scenario: Scenario) {
  const endpoint = await misbehavingNode(node, scenario)
  opened.push(endpoint.close)
  const source = `acme.${name}`
  await ann.saveCustomSource({ fullname: source, body: customSource(source, { endpoints: [endpoint.url] }) })
  const onLogs = `acme.p.${name}-logs`
  const onTransactions = `acme.p.${name}-transactions`
  const spec = { type: 'evm_log', dataSource: source, abiFragment } as const
  await ann.saveTrigger({ fullname: onLogs, body: trigger(onLogs, { triggerSpec: spec }) })
  const all = { type: 'evm_transaction', dataSource: source } as const
  await ann.saveTrigger({ fullname: onTransactions, body: trigger(onTransactions, { triggerSpec: all }) })
  for (const fullname of [onLogs, onTransactions])
    await ann.createSubscription({ body: { workspace: 'acme', project: 'acme.p', trigger: fullname, resources: [] } })
  const view = () => ann.getCustomSource({ fullname: source })
  await until(view, ({ status }) => status.status === 'running')
  const processed = async () => (await view()).runtime?.processedBlock ?? 0
  const log = async () => (await ann.getCustomSourceLogs({ fullname: source })).entries.map(({ message }) => message)
  return { ...endpoint, view, processed, log, onLogs, onTransactions }
}

const headNow = async () => Number(await node.request('eth_blockNumber'))

test('a block whose bloom has bits of no log counts after 25 s, and the log and the status name it', async () => {
  const odd = (await headNow()) + 1
  const { processed, log, view } = await watch('bloom', {
    change({ method }, truth) {
      const block = truth as Json | null
      if (!/getBlockBy/.test(method) || Number(block?.number) !== odd) return undefined
      return { result: { ...block, logsBloom: `0xff${String(block?.logsBloom).slice(4)}`, receiptsRoot: null } }
    },
  })
  await emit(1)
  await emit(2)
  await until(processed, (number) => number === odd + 1, 90_000)
  await until(log, (messages) => messages.some((message) => message.includes(`Block ${odd} counts without a proof`)))
  await until(view, ({ status }) => status.status === 'running' && /counts without a proof/.test(status.message ?? ''))
})

test('a block with 40 MB of logs of a foreign contract delays nobody', async () => {
  const large = (await headNow()) + 1
  const padding = `0x${'00'.repeat(20 << 20)}`
  const { processed, log, view } = await watch('large', {
    async change({ method, params }, truth, ask) {
      if (!/getLogs|getBlockReceipts/.test(method)) return undefined
      const hash = method === 'eth_getLogs' ? (params[0] as { blockHash?: string }).blockHash : params[0]
      if (Number(((await ask('eth_getBlockByHash', [hash, false])) as Json | null)?.number) !== large) return undefined
      const flood = (logs: Json[]) => [...logs, { ...logs[0], logIndex: '0x1', data: padding }]
      if (method === 'eth_getLogs') return { result: flood(truth as Json[]) }
      return { result: (truth as Json[]).map((receipt) => ({ ...receipt, logs: flood(receipt.logs as Json[]) })) }
    },
  })
  await emit(3)
  await emit(4)
  await until(processed, (number) => number === large + 1, 60_000)
  expect((await view()).status.status).toBe('running')
  expect(await log()).not.toContainEqual(expect.stringMatching(/left out/))
})

test('receipts that never come break the trigger on transactions after 25 s, and the one on logs goes on', async () => {
  const from = (await headNow()) + 1
  const { processed, onLogs, onTransactions } = await watch('receipts', {
    refuse: ({ method }) => (/Receipt/.test(method) ? { result: null } : undefined),
  })
  await emit(5)
  await emit(6)
  await until(processed, (number) => number === from + 1, 90_000)
  const statusOf = async (fullname: string) => (await ann.getTrigger({ fullname })).status.status
  await until(
    () => statusOf(onTransactions),
    (status) => status === 'broken',
  )
  expect(await statusOf(onLogs)).not.toBe('broken')
})
