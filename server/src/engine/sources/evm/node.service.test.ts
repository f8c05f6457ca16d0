import type { TriggerSpec } from '@tocsin/contract'
import { encodeAbiParameters, keccak256, pad, parseAbi, parseAbiParameters } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { itemsIn } from '../../../../../tests/harness/items-in.ts'
import { alice, bob, connectedEvm, logSpec, transfer } from '../../../../../tests/nodes/connected-evm.ts'
import { answer } from '../../../../../tests/nodes/evm-contracts.ts'
import { prepareOneTrigger } from '../one-trigger.ts'
import { readReceipt } from './blocks/read-answers.ts'
import { evm } from './index.ts'

const { node, connection, start, connectTo, match, emitTransfer, close } = await connectedEvm()
afterAll(close)

test('a log becomes an item with block, transaction, index, event, args and params', async () => {
  const { contract, hash } = await emitTransfer()
  const [item, ...others] = await match(logSpec({ abiFragment: transfer }), hash)
  const head = await connection.head()
  expect(others).toEqual([])
  expect(item).toEqual({
    address: contract,
    blockNumber: head.number,
    blockHash: head.hash,
    blockTimestamp: head.timestampMs! / 1000,
    transactionHash: hash,
    transactionIndex: 0,
    index: 0,
    data: pad('0x4563918244f40000'),
    topics: [expect.stringMatching(/^0xddf252ad/), pad(alice), pad(bob)],
    event: 'Transfer',
    args: [alice, bob, '5000000000000000000'],
    params: { from: alice, to: bob, value: '5000000000000000000' },
  })
})

test('a block says about how many bytes its fetched parts need, so that reading ahead is bounded by bytes', async () => {
  await emitTransfer()
  const { number } = await connection.head()
  const bytesOf = async (parts: ('logs' | 'transactions')[]) => (await connection.block(number, parts))?.bytes ?? -1
  expect(await bytesOf([])).toBe(0)
  expect(await bytesOf(['logs'])).toBeGreaterThan(600)
  expect(await bytesOf(['logs', 'transactions'])).toBeGreaterThan(await bytesOf(['logs']))
})

test('a log matches by contract in upper or lower case, by event, by topic and byte counts, or without any condition', async () => {
  const { contract, hash } = await emitTransfer()
  const counts = async (specs: object[]) =>
    Promise.all(specs.map(async (spec) => (await match(logSpec(spec), hash)).length))
  const right = [
    {},
    { contract: contract.toUpperCase().replace('0X', '0x') },
    { event: 'Transfer(address,address,uint256)' },
    { event: transfer },
    { event: 'Transfer', abiFragment: [transfer, 'event Approval(address,address,uint256)'] },
    { abiFragment: JSON.stringify(parseAbi([transfer])) },
    { abiFragment: parseAbi([transfer])[0] },
    { topicsCount: 3, dataBytes: 32 },
  ]
  const wrong = [
    { contract: alice },
    { event: 'Transfer(address,address)' },
    { event: 'Approval', abiFragment: [transfer, 'event Approval(address,address,uint256)'] },
    { topicsCount: 4 },
    { dataBytes: 0 },
    { abiFragment: 'event Transfer(address indexed from, address indexed to, uint256 indexed id)' },
    { abiFragment: 'event Transfer(address indexed from, address to, uint256 value)' },
  ]
  expect(await counts(right)).toEqual(right.map(() => 1))
  expect(await counts(wrong)).toEqual(wrong.map(() => 0))
})

test('a signature without "indexed" marks is decoded if it is known or the topics decide it; otherwise the item says why it is not', async () => {
  const { hash } = await emitTransfer()
  const [known] = await match(logSpec({ event: 'Transfer(address,address,uint256)' }), hash)
  expect(known).toMatchObject({ event: 'Transfer', params: { from: expect.any(String), value: expect.any(String) } })
  const [named] = await match(logSpec({ event: 'Transfer(address a, address b, uint256 c)' }), hash)
  expect(Object.values(named?.params ?? {})).toEqual(known?.args)
  expect(named?.params).toHaveProperty('c')
  const paid = await node.emit([keccak256(Buffer.from('Paid(address,uint256)')), pad(alice)], pad('0x07'))
  expect(await match(logSpec({ event: 'Paid(address,uint256)' }), paid.hash)).toMatchObject([
    { event: 'Paid', args: [], params: {}, undecoded: expect.stringContaining('1 of 2 inputs are indexed') },
  ])
  const ping = keccak256(Buffer.from('Ping(uint8)'))
  const inData = await node.emit([ping], pad('0x07'))
  const inTopics = await node.emit([ping, pad('0x08')])
  expect(await match(logSpec({ event: 'Ping(uint8)' }), inData.hash)).toMatchObject([{ args: [7] }])
  expect(await match(logSpec({ event: 'Ping(uint8)' }), inTopics.hash)).toMatchObject([{ args: [8] }])
  await expect(evm.items.prepare(logSpec({ event: 'Transfer' }))).rejects.toThrow('only a name')
})

test('indexed dynamic types decode to their hash, tuples to objects by name', async () => {
  const line =
    'event Listed(string indexed name, (address owner, (uint64 id, string note)[] parts) item, uint16 indexed, bool)'
  const topic0 = keccak256(Buffer.from('Listed(string,(address,(uint64,string)[]),uint16,bool)'))
  const data = encodeAbiParameters(
    parseAbiParameters('(address owner, (uint64 id, string note)[] parts) item, bool ok'),
    [{ owner: alice, parts: [{ id: 2n ** 63n, note: 'é' }] }, true],
  )
  const nameHash = keccak256(Buffer.from('a name'))
  const { hash } = await node.emit([topic0, nameHash, pad('0x09')], data)
  const item = { owner: alice, parts: [{ id: '9223372036854775808', note: 'é' }] }
  expect(await match(logSpec({ abiFragment: line }), hash)).toMatchObject([
    { event: 'Listed', args: [nameHash, item, 9, true], params: { name: nameHash, item } },
  ])
})

test('an overloaded name matches each of its events, a signature only one', async () => {
  const abiFragment = ['event Set(uint256 a)', 'event Set(address a)']
  const number = await node.emit([keccak256(Buffer.from('Set(uint256)'))], pad('0x01'))
  const address = await node.emit([keccak256(Buffer.from('Set(address)'))], pad(alice))
  const found = async (event: string | undefined) =>
    (await Promise.all([number, address].map(({ hash }) => match(logSpec({ abiFragment, event }), hash)))).map(
      ([item]) => item?.params,
    )
  expect(await found(undefined)).toEqual([{ a: '1' }, { a: alice }])
  expect(await found('Set')).toEqual([{ a: '1' }, { a: alice }])
  expect(await found('Set(address)')).toEqual([undefined, { a: alice }])
})

test('an anonymous event is recognised only by exactly its shape', async () => {
  const abiFragment = [
    {
      type: 'event',
      name: 'Note',
      anonymous: true,
      inputs: [
        { type: 'bytes4', name: 'sig', indexed: true },
        { type: 'bytes', name: 'fax' },
      ],
    },
  ]
  const fax = encodeAbiParameters([{ type: 'bytes' }], ['0x1234'])
  const note = await node.emit([pad('0xdeadbeef', { dir: 'right' })], fax)
  const longer = await node.emit([pad('0xdeadbeef', { dir: 'right' })], `${fax}00`)
  expect(await match(logSpec({ abiFragment }), note.hash)).toMatchObject([
    { event: 'Note', params: { sig: '0xdeadbeef', fax: '0x1234' } },
  ])
  expect(await match(logSpec({ abiFragment }), longer.hash)).toEqual([])
  expect((await match(logSpec({ topicsCount: 1, contract: note.contract }), longer.hash)).length).toBe(1)
})

const transactions: TriggerSpec = { type: 'evm_transaction', dataSource: 'acme.chain' }

test('every transaction becomes an item with its status, with or without eth_getBlockReceipts', async () => {
  const reverts = await node.deploy(answer('0x', 'REVERT'))
  await node.request('evm_setAutomine', [false])
  const sent = [
    await node.send({ to: bob, value: '0x1bc16d674ec80000' }),
    await node.send({ to: reverts, data: '0xA9059CBB00' }),
    await node.send({ data: '0x6001600155' }),
  ]
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
  const items = await match(transactions, sent[0]!)
  const head = await connection.head()
  expect(items.map(({ hash, status, methodId }) => ({ hash, status, methodId }))).toEqual([
    { hash: sent[0], status: 1, methodId: null },
    { hash: sent[1], status: 0, methodId: '0xa9059cbb' },
    { hash: sent[2], status: 1, methodId: null },
  ])
  expect(items[0]).toEqual({
    block: { number: head.number, hash: head.hash, timestamp: head.timestampMs! / 1000 },
    index: 0,
    hash: sent[0],
    type: 2,
    from: node.account,
    to: bob,
    nonce: expect.any(Number),
    gasLimit: 10_000_000,
    gasPrice: expect.stringMatching(/^\d+$/),
    maxFeePerGas: expect.stringMatching(/^\d+$/),
    maxPriorityFeePerGas: expect.stringMatching(/^\d+$/),
    input: '0x',
    value: '2000000000000000000',
    methodId: null,
    status: 1,
    receipt: {
      gasUsed: 21_000,
      effectiveGasPrice: expect.stringMatching(/^\d+$/),
      contractAddress: null,
      logsCount: 0,
    },
  })
  expect(items[2]).toMatchObject({ to: null, receipt: { contractAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/) } })
})

test('a receipt field that is missing or malformed is null, and the status and the logs are read', () => {
  const receipt = { transactionHash: pad('0x01'), status: '0x1', logs: [], gasUsed: 'many', contractAddress: '' }
  expect(readReceipt(receipt)).toMatchObject({
    status: 1,
    gasUsed: null,
    effectiveGasPrice: null,
    contractAddress: null,
  })
})

test('a block is fetched with logs and transactions unless only one of them is requested', async () => {
  const receipts = await start({ blockReceipts: true })
  const other = connectTo(receipts.url)
  await receipts.emit([pad('0x01')], '0x02')
  const logs = await prepareOneTrigger(evm, logSpec({}))
  const block = (await other.block(2))!
  expect(logs.match(block).length).toBe(1)
  expect(await itemsIn(evm, transactions, block)).toMatchObject([{ status: 1, receipt: { logsCount: 1 } }])
  const part = (await other.block(2, logs.items.neededParts))!
  expect(logs.match(part)).toEqual(logs.match(block))
  expect(await other.block(3)).toBe(undefined)
  expect(await other.blockOfTransaction(pad('0x0123'))).toBe(undefined)
})

test('everything works over a WebSocket too', async () => {
  const { hash } = await emitTransfer()
  const block = await connectTo(node.wsUrl).blockOfTransaction(hash)
  expect((await itemsIn(evm, logSpec({}), block!)).length).toBe(1)
})

test('after a reorg the replaced block is gone, and its replacement is read', async () => {
  const snapshot = await node.request('evm_snapshot')
  const lost = await emitTransfer(1n)
  const { number, hash } = await connection.head()
  await node.request('evm_revert', [snapshot])
  await emitTransfer(2n)
  expect(await connection.blockOfTransaction(lost.hash)).toBe(undefined)
  const block = await connection.block(number)
  expect(block?.hash).not.toBe(hash)
  expect(await itemsIn(evm, logSpec({ abiFragment: transfer }), block!)).toMatchObject([{ params: { value: '2' } }])
})
