import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customSource, type Harness, harness, type Person } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { answer } from '../nodes/evm-contracts.ts'
import { faultyEndpoint } from '../nodes/faulty-endpoint.ts'
import { type Change, cutAt, lyingEndpoint, put, say, where } from '../nodes/lying-endpoint.ts'
import { misbehavingNode } from '../nodes/misbehaving-node.ts'
import { scenarios } from '../nodes/scenarios.ts'
import { type SolanaDouble, startSolana } from '../nodes/solana.ts'
import { type SubstrateNode, startSubstrateNode } from '../nodes/substrate.ts'

/** Real nodes behind a proxy that changes one of their replies: the service detects it and never uses the false reply. */
let house: Harness
let ann: Person
const opened: (() => Promise<void>)[] = []

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on', SOURCE_TIMEOUT_MS: '60000' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
})
afterAll(async () => {
  for (const close of opened) await close()
  const lines = house.logs.join('\n')
  await house.close()
  expect(lines).not.toMatch(/"statusCode":5\d\d|"level":50/)
})

type Kind = 'evm' | 'substrate' | 'solana'
type Lie = [name: string, method: RegExp, change: Change, told: RegExp]

let sources = 0

async function follow(kind: Kind, ...endpoints: string[]): Promise<string> {
  sources += 1
  const fullname = `acme.${kind}${sources}`
  await ann.saveCustomSource({ fullname, body: customSource(fullname, { kind, endpoints }) })
  return fullname
}

async function lying(url: string, method: RegExp, change: Change): Promise<string> {
  const endpoint = await lyingEndpoint(url, method, change)
  opened.push(endpoint.close)
  return endpoint.url
}

type Spec = { type: string; dataSource: string }
const onBlock = (triggerSpec: Spec, block: number) =>
  ann.testTriggerBlock({ body: { triggerSpec, providers: [], transform: null, outputSchema: null, block } })
const provided = (triggerSpec: Spec, provider: object) =>
  ann.testProvider({ body: { triggerSpec, provider: { id: 'p', timeoutMs: 10_000, ...provider } } })
const verified = (kind: Kind, ...endpoints: string[]) =>
  ann.verifyCustomSource({ body: { workspace: 'acme', name: 'x', kind, endpoints } })
const refusal = (told: RegExp) => ({ valid: false, issues: [{ message: expect.stringMatching(told) }] })

describe('EVM', () => {
  const word = (hex: string) => `0x${hex.padStart(64, '0')}`
  let node: EvmNode
  let block: number
  let contract: string

  beforeAll(async () => {
    node = await startEvmNode({ blockReceipts: true })
    opened.push(node.close)
    contract = await node.deploy(answer(word('2a')))
    await node.emit([word('1')], word('1'))
    await node.request('evm_setAutomine', [false])
    for (const data of ['2', '3']) await node.emit([word('1')], word(data))
    await node.request('evm_mine')
    await node.request('evm_setAutomine', [true])
    block = Number(await node.request('eth_blockNumber'))
  })

  test.each<Lie>([
    ['no logs', /getLogs/, say([]), /bloom of the block says that some are missing/],
    ['logs of another block', /getLogs/, put('0.blockHash', word('5')), /logs of another block/],
    ['an invalid topic', /getLogs/, put('0.topics', ['0x1']), /no valid topic/],
    ['a log without data', /getLogs/, put('0.data', null), /no valid data/],
    ['a log that is null', /getLogs/, put('0', null), /no valid log/],
    ['a block number that is too large', /getBlockBy/, put('number', word('f'.repeat(60))), /no valid number/],
    ['a bloom that is not hex', /getBlockBy/, put('logsBloom', 'full'), /no valid logsBloom/],
    ['no list of transactions', /getBlockBy/, put('transactions', null), /no valid transactions/],
    ['an invalid timestamp', /getBlockBy/, put('timestamp', 'now'), /no valid timestamp/],
  ])('a block with %s', async (_, method, change, told) => {
    const dataSource = await follow('evm', await lying(node.url, method, change))
    const triggerSpec = { type: 'evm_log', dataSource }
    expect(await onBlock(triggerSpec, block)).toMatchObject(refusal(told))
    expect(await ann.findLatestBlock({ body: { triggerSpec } })).toMatchObject({ ...refusal(told), matched: false })
  })

  test('a block with another number than requested is refused; the head comes from the answer that names it', async () => {
    const change = where(([which]) => which !== 'latest', put('number', '0x0'))
    const dataSource = await follow('evm', await lying(node.url, /getBlockByNumber/, change))
    const triggerSpec = { type: 'evm_log', dataSource }
    const elsewhere = { ...triggerSpec, contract: `0x${'ab'.repeat(20)}` }
    const told = refusal(/answered with block 0/)
    expect(await onBlock(triggerSpec, block)).toMatchObject(told)
    expect(await ann.findLatestBlock({ body: { triggerSpec } })).toMatchObject({ valid: true, matchedBlock: block })
    expect(await ann.findLatestBlock({ body: { triggerSpec: elsewhere } })).toMatchObject({ ...told, matched: false })
  })

  test.each<Lie>([
    ['a missing log of a receipt', /BlockReceipts/, put('0.logs', []), /do not make up the receipts root/],
    ['another status', /BlockReceipts/, put('0.status', '0x0'), /do not make up the receipts root/],
    ['null for receipts', /BlockReceipts/, say(null), /no valid list of receipts/],
  ])('transactions with %s', async (_, method, change, told) => {
    const dataSource = await follow('evm', await lying(node.url, method, change))
    expect(await onBlock({ type: 'evm_transaction', dataSource }, block)).toMatchObject(refusal(told))
  })

  test('a receipt that is missing from the list is asked for alone', async () => {
    const dataSource = await follow('evm', await lying(node.url, /BlockReceipts/, (all) => (all as unknown[]).slice(1)))
    const whole = await onBlock({ type: 'evm_transaction', dataSource: await follow('evm', node.url) }, block)
    const { input } = whole as { input?: object }
    expect(await onBlock({ type: 'evm_transaction', dataSource }, block)).toMatchObject({
      valid: true,
      input: { ...input },
    })
  })

  test('a transaction without a sender is left out, and the others of its block are matched', async () => {
    const lies = await lying(node.url, /getBlockBy/, put('transactions.0.from', 5))
    const dataSource = await follow('evm', lies)
    const { sourceEventsCount: all = 0 } = await onBlock(
      { type: 'evm_transaction', dataSource: await follow('evm', node.url) },
      block,
    )
    const { sourceEventsCount, valid } = await onBlock({ type: 'evm_transaction', dataSource }, block)
    expect([valid, sourceEventsCount]).toEqual([true, all - 1])
  })

  test.each<Lie>([
    ['nothing', /call/, say('0x'), /answered nothing/],
    ['half of a value', /call/, say('0x01'), /cannot decode/],
    ['text that is not hex', /call/, say('zz'), /no valid result/],
    ['null', /call/, say(null), /no valid result/],
  ])('a call that answers %s', async (_, method, change, told) => {
    const dataSource = await follow('evm', await lying(node.url, method, change))
    const read = { type: 'evm_read', contract, method: 'a', abiFragment: 'function a() view returns (uint256)' }
    expect(await provided({ type: 'evm_log', dataSource }, read)).toMatchObject(refusal(told))
  })

  test('verification reports how logs are read, with the error of the node for each refused request', async () => {
    const picky = await misbehavingNode(node, scenarios.needsAddress())
    const silent = await misbehavingNode(node, scenarios.lacksMethod(/eth_getLogs|Receipt/))
    opened.push(picky.close, silent.close)
    const { ok, logs, details } = await verified('evm', picky.url, silent.url)
    expect(ok).toBe(true)
    expect(logs.slice(2)).toEqual([
      {
        level: 'info',
        message: expect.stringMatching(/one call per block.*"Please specify an address in your request"/),
      },
      { level: 'warn', message: expect.stringMatching(/the method does not exist or is not available.*cannot work/) },
    ])
    expect(details?.endpoints[0]?.capabilities).toEqual(expect.arrayContaining(['eth_getLogs', 'logs:address']))
  })

  test('a second, honest endpoint provides what the first one omits', async () => {
    const liar = await lying(node.url, /BlockReceipts/, put('0.logs', []))
    const triggerSpec = { type: 'evm_transaction', dataSource: await follow('evm', liar, node.url) }
    expect(await onBlock(triggerSpec, block)).toMatchObject({ valid: true, sourceEventsCount: 2 })
  })

  test('when a node fails, an endpoint of another chain is not used instead', async () => {
    const other = await startEvmNode({ chainId: 5 })
    await other.emit([word('9')])
    let isDown = false
    const { url, close } = await faultyEndpoint(node.url, () =>
      isDown ? (response) => void response.writeHead(503).end() : undefined,
    )
    opened.push(other.close, close)
    const triggerSpec = { type: 'evm_log', dataSource: await follow('evm', url, other.url) }
    expect(await onBlock(triggerSpec, block)).toMatchObject({ valid: true, sourceEventsCount: 2 })
    isDown = true
    expect(await onBlock(triggerSpec, 2)).toMatchObject(refusal(/serves another network \(5\)/))
    const looked = await verified('evm', node.url, other.url)
    expect(looked).toMatchObject({
      ok: false,
      details: { latestBlock: block, endpoints: [{ ok: true }, { ok: false }] },
    })
    expect(looked.logs[1]?.message).toMatch(/serves chain 5, the endpoints before it chain 31337/)
  })
})

describe('Substrate', () => {
  let node: SubstrateNode
  let block: number
  beforeAll(async () => {
    node = await startSubstrateNode()
    opened.push(node.close)
    block = (await node.transfer(node.ann, node.bob, 1n)).number
  }, 120_000)

  const events = (change: Change) =>
    where(([key]) => String(key).startsWith('0x26aa394eea5630e07c48ae0c9558cef780d41e5e'), change)
  test.each<Lie>([
    ['empty metadata', /getMetadata/, say('0x'), /metadata that cannot be read/],
    ['metadata that is text', /getMetadata/, say('metadata'), /not bytes in hex/],
    ['null for metadata', /getMetadata/, say(null), /not bytes in hex/],
    ['metadata of version 13', /getMetadata/, say('0x6d6574610d00'), /version 13; 14 and later/],
    ['half of the metadata', /getMetadata/, cutAt(0.5), /metadata that cannot be read/],
    ['a version without a number', /RuntimeVersion/, say({ specName: 'x' }), /not a runtime version/],
    ['no events', /getStorage/, events(say(null)), /but not its events/],
    ['half of the events', /getStorage/, events(cutAt(0.5)), /cannot be decoded/],
    ['events of another kind', /getStorage/, events(say('0x04ff')), /cannot be decoded/],
    ['a list of billions of events', /getStorage/, events(say('0xfeffffff')), /cannot be decoded/],
    ['events that are text', /getStorage/, events(say('many')), /not bytes in hex/],
    ['a header of another block', /getHeader/, put('number', '0x999'), /answered block 2457/],
    ['a header without a parent', /getHeader/, put('parentHash', null), /not a block hash/],
  ])('%s', async (_, method, change, told) => {
    const dataSource = await follow('substrate', await lying(node.url, method, change))
    expect(await onBlock({ type: 'substrate_event', dataSource }, block)).toMatchObject(refusal(told))
  })

  test.each<Lie>([
    ['half of the value', /getStorage/, cutAt(0.5), /cannot be decoded/],
    ['words', /getStorage/, say('rich'), /not bytes in hex/],
    ['some of the metadata', /getMetadata/, cutAt(0.1), /metadata that cannot be read/],
  ])('a storage read that gets %s', async (_, method, change, told) => {
    const dataSource = await follow('substrate', await lying(node.url, method, change))
    const read = { type: 'substrate_storage', module: 'System', entry: 'Account', args: [node.ann.address] }
    expect(await provided({ type: 'substrate_event', dataSource }, read)).toMatchObject(refusal(told))
  })

  test('verification distinguishes bad metadata from a bad connection', async () => {
    const looked = await verified('substrate', await lying(node.url, /getMetadata/, say('0x00')))
    const message = expect.stringContaining('metadata that cannot be read')
    expect(looked).toMatchObject({ ok: false, logs: [{ level: 'error', message }] })
  })
})

describe('Solana', () => {
  let double: SolanaDouble
  let slot: number
  beforeAll(async () => {
    double = await startSolana()
    opened.push(double.close)
    await double.emit({ by: 'both' }, Uint8Array.of(1, 2, 3))
    slot = double.produceBlock()
  })

  test.each<Lie>([
    ['null', /getBlock$/, say(null), /does not return the block of slot/],
    ['no transactions', /getBlock$/, put('transactions', undefined), /no list of transactions/],
    ['a transaction without meta', /getBlock$/, put('transactions.0.meta', null), /no meta of a transaction/],
    ['a transaction without logs', /getBlock$/, put('transactions.0.meta', { err: null }), /neither logs nor inner/],
    ['logs that are numbers', /getBlock$/, put('transactions.0.meta.logMessages', [1]), /no log message/],
    [
      'accounts that do not exist',
      /getBlock$/,
      put('transactions.0.transaction.message.accountKeys', []),
      /among its accounts/,
    ],
  ])('a block with %s', async (_, method, change, told) => {
    const dataSource = await follow('solana', await lying(double.url, method, change))
    expect(await onBlock({ type: 'solana_event', dataSource }, slot)).toMatchObject(refusal(told))
  })

  test.each<Lie>([
    ['null', /AccountInfo/, say(null), /not what Solana nodes answer/],
    ['no slot', /AccountInfo/, put('context', undefined), /not what Solana nodes answer/],
    ['parsed data', /AccountInfo/, put('value.data', { parsed: {} }), /not what Solana nodes answer/],
    ['no count of lamports', /AccountInfo/, put('value.lamports', 'many'), /not what Solana nodes answer/],
  ])('an account read that gets %s', async (_, method, change, told) => {
    const dataSource = await follow('solana', await lying(double.url, method, change))
    const read = { type: 'solana_account', account: double.payer.address }
    expect(await provided({ type: 'solana_event', dataSource }, read)).toMatchObject(refusal(told))
  })
})
