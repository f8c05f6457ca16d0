import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receiver } from './harness/deliveries.ts'
import { until } from './harness/following.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import { customSource, type Harness, type Person, subscription, trigger } from './harness/index.ts'
import { anchorHash } from './nodes/connected-solana.ts'
import { startEvmNode } from './nodes/evm.ts'
import { misbehavingNode } from './nodes/misbehaving-node.ts'
import { scenarios } from './nodes/scenarios.ts'
import { startSolana } from './nodes/solana.ts'
import { startSubstrateNode } from './nodes/substrate.ts'

/** The whole path: an event of a real node arrives at a webhook through a real service. */
let house: Harness
let ann: Person
let receiver: Receiver

beforeAll(async () => {
  ;({ house, ann, receiver } = await houseWithHook())
})
afterAll(async () => {
  await house.close()
  receiver.close()
})

async function listen(
  kind: 'evm' | 'substrate' | 'solana',
  endpoint: string,
  triggerSpec: object,
  transform: string,
  name: string = kind,
  delivery?: { finality: 'finalized' },
) {
  const source = `acme.${name}`
  await ann.saveCustomSource({ fullname: source, body: customSource(source, { kind, endpoints: [endpoint] }) })
  const fullname = `acme.p.${name}`
  const spec = { ...triggerSpec, dataSource: source } as never
  const defaults = { title: `${name} told {{raw.amount}}`, icon: '/api/projects/acme.p/images/icon-1.png' }
  await ann.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec: spec, transform, defaults }) })
  await ann.createSubscription({ body: subscription(fullname, { resources: ['acme.hook'], delivery }) })
  await until(
    () => ann.getCustomSource({ fullname: source }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
  )
}

/** The titles of a trigger's delivered alerts, once there are enough. */
async function told(name: string, least = 1): Promise<string[]> {
  const ofKind = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body).data)
      .filter(({ trigger }) => trigger === `acme.p.${name}`)
      .map(({ message }) => message.title)
  await until(
    async () => ofKind().length,
    (count) => count >= least,
  )
  return ofKind()
}

test('an EVM log arrives at a webhook, once', async () => {
  const node = await startEvmNode()
  const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
  await listen('evm', node.url, { type: 'evm_log', abiFragment }, '({ amount: source.params.value })')
  const word = (hex: string) => `0x${hex.padStart(64, '0')}`
  const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  await node.emit([topic0, word('aa'), word('bb')], word('5'))
  expect(await told('evm')).toEqual(['evm told 5'])
  const [alert] = await ann.listAlerts({ query: { trigger: 'acme.p.evm' } })
  const icon = `${house.url}/api/projects/acme.p/images/icon-1.png`
  expect(alert).toMatchObject({ source: 'acme.evm', message: { title: 'evm told 5', icon } })
  const [sent] = receiver.received.map(({ body }) => JSON.parse(body).data).filter(({ id }) => id === alert?.id)
  const url = `${house.url}/w/acme/alerts/${alert?.id}`
  const source = await ann.getCustomSource({ fullname: 'acme.evm' })
  expect(sent).toMatchObject({ network: source.meta.title, url, block: alert?.block })
  await node.close()
})

test('all eight logs of a block arrive from a node that numbers logs per transaction', async () => {
  const node = await startEvmNode()
  const word = (hex: string) => `0x${hex.padStart(64, '0')}`
  await node.emit([word('1')], word('0'))
  const odd = await misbehavingNode(node, scenarios.logNumbersPerTransaction())
  await listen(
    'evm',
    odd.url,
    { type: 'evm_log', topicsCount: 1 },
    '({ amount: Number(source.data) })',
    'per-transaction',
  )
  await node.request('evm_setAutomine', [false])
  for (let at = 1; at <= 8; at += 1) await node.emit([word('1')], word(String(at)))
  await node.request('evm_mine')
  const titles = await told('per-transaction', 8)
  expect(titles.toSorted()).toEqual(Array.from({ length: 8 }, (_, at) => `per-transaction told ${at + 1}`))
  await odd.close()
  await node.close()
})

test('a Solana event and the instruction inside that carries it arrive at a webhook, once', async () => {
  const double = await startSolana()
  double.produceBlock()
  const idl = {
    address: double.emitter,
    metadata: { name: 'shop', version: '0.1.0', spec: '0.1.0' },
    instructions: [],
    events: [{ name: 'Bought', discriminator: [...anchorHash('event:Bought')] }],
    types: [{ name: 'Bought', type: { kind: 'struct', fields: [{ name: 'amount', type: 'u64' }] } }],
  }
  const spec = { type: 'solana_event', programId: double.emitter, event: 'Bought', idl }
  await listen('solana', double.url, spec, '({ amount: source.params.amount })')
  const tag = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d]
  const args = ['hash', 'amount'].map((name) => ({ name, type: 'u64' }))
  const instructions = [{ name: 'log', discriminator: tag, accounts: [], args }]
  const called = {
    type: 'solana_instruction',
    programId: double.emitter,
    instruction: 'log',
    idl: { ...idl, instructions },
  }
  await listen('solana', double.url, called, '({ amount: source.args.amount })', 'solana-instruction')
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(7n)
  await double.emit({ by: 'both' }, Buffer.concat([anchorHash('event:Bought'), amount]))
  double.produceBlock()
  expect(await told('solana')).toEqual(['solana told 7'])
  expect(await told('solana-instruction')).toEqual(['solana-instruction told 7'])
  await double.close()
})

test('a Substrate event and a call inside a batch arrive at a webhook, once', { timeout: 180_000 }, async () => {
  const node = await startSubstrateNode()
  const spec = { type: 'substrate_event', pallet: 'balances', event: 'Transfer' }
  const finality = { finality: 'finalized' } as const
  await listen('substrate', node.url, spec, '({ amount: source.params.amount })', 'substrate', finality)
  const calls = { type: 'substrate_call', pallet: 'Balances', call: 'transfer_keep_alive' }
  await listen('substrate', node.url, calls, '({ amount: source.params.value })', 'substrate-call')
  const args = { dest: { type: 'Id', value: node.bob.address }, value: 123_456_789_012n }
  const inner = [{ type: 'Balances', value: { type: 'transfer_keep_alive', value: args } }]
  await node.newBlock([{ from: node.ann, call: { pallet: 'Utility', name: 'batch', args: { calls: inner } } }])
  expect(await told('substrate')).toEqual(['substrate told 123456789012'])
  expect(await told('substrate-call')).toEqual(['substrate-call told 123456789012'])
  await node.close()
})
