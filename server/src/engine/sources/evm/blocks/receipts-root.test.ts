import * as Rlp from 'ox/Rlp'
import { type Hex, keccak256, pad, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { connectedEvm } from '../../../../../../tests/nodes/connected-evm.ts'
import { answer } from '../../../../../../tests/nodes/evm-contracts.ts'
import { checkReceiptsRoot } from './receipts-root.ts'

const { node, start, close } = await connectedEvm()
afterAll(close)

type Raw = Record<string, unknown> & { type: string; logs: Record<string, unknown>[] }
type Block = { hash: string; number: string; receiptsRoot: string; transactions: string[] }

const owner = privateKeyToAccount(node.key)

/** One block of transactions of every type that the node takes: legacy, access list, fees, code of accounts. */
async function mixedBlock(on = node, count = 8): Promise<{ block: Block; receipts: Raw[] }> {
  const { contract } = await on.emit([pad('0x01'), pad('0x02')], '0x03')
  const reverting = await on.deploy(answer('0x', 'REVERT'))
  const data = `${pad('0x0a')}${pad('0x0b').slice(2)}c0ffee` as Hex
  const nonce = Number(await on.request('eth_getTransactionCount', [on.account]))
  await on.request('evm_setAutomine', [false])
  const common = { chainId: 31337, data, gas: 100_000n }
  const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 1n }
  for (let index = 0; index < count; index += 1) {
    const each = { ...common, to: (index % 3 === 2 ? reverting : contract) as Hex, nonce: nonce + index }
    const authorization = { chainId: 31337, address: contract as Hex, nonce: 1000 }
    const raw = await [
      () => owner.signTransaction({ ...each, type: 'legacy', gasPrice: parseGwei('10') }),
      () => owner.signTransaction({ ...each, type: 'eip2930', gasPrice: parseGwei('10'), accessList: [] }),
      () => owner.signTransaction({ ...each, type: 'eip1559', ...fees }),
      async () =>
        owner.signTransaction({
          ...{ ...each, type: 'eip7702', ...fees, gas: 200_000n },
          authorizationList: [await owner.signAuthorization(authorization)],
        }),
    ][index % 4]!()
    await on.request('eth_sendRawTransaction', [raw])
  }
  await on.request('evm_mine')
  await on.request('evm_setAutomine', [true])
  const block = (await on.request('eth_getBlockByNumber', ['latest', false])) as Block
  const receipts = await Promise.all(block.transactions.map((hash) => on.request('eth_getTransactionReceipt', [hash])))
  return { block, receipts: receipts as Raw[] }
}

const mixed = await mixedBlock()

test('receipts of every type give the root of their block, in any order, with or without blooms', () => {
  const { block, receipts } = mixed
  expect(new Set(receipts.map(({ type }) => type))).toEqual(new Set(['0x0', '0x1', '0x2', '0x4']))
  expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set(['0x0', '0x1']))
  const check = (answer: unknown[]) => checkReceiptsRoot(block.receiptsRoot, answer).kind
  expect(check(receipts)).toBe('same')
  expect(check(receipts.toReversed())).toBe('same')
  expect(check(receipts.map(({ logsBloom: _, ...receipt }) => receipt))).toBe('same')
})

const changes: [string, (receipts: Raw[]) => Raw[]][] = [
  ['a receipt left out', (receipts) => receipts.slice(1)],
  ['a log left out', (receipts) => receipts.map((each, at) => (at === 1 ? { ...each, logs: [] } : each))],
  ['a log twice', (receipts) => receipts.map((each) => ({ ...each, logs: [...each.logs, ...each.logs] }))],
  ['another status', (receipts) => receipts.map((each) => ({ ...each, status: '0x1' }))],
  [
    'other data',
    (receipts) => receipts.map((each) => ({ ...each, logs: each.logs.map((log) => ({ ...log, data: '0x' })) })),
  ],
  ['another type', (receipts) => receipts.map((each) => ({ ...each, type: '0x2' }))],
  ['none', () => []],
]

test.each(changes)('%s is detected', (_, change) => {
  expect(checkReceiptsRoot(mixed.block.receiptsRoot, change(mixed.receipts)).kind).toBe('other')
})

test('a block with more than 127 receipts has trie keys of two bytes', async () => {
  const { block, receipts } = await mixedBlock(await start(), 150)
  expect(receipts).toHaveLength(150)
  expect(checkReceiptsRoot(block.receiptsRoot, receipts)).toEqual({ kind: 'same' })
  expect(checkReceiptsRoot(block.receiptsRoot, receipts.slice(0, 149)).kind).toBe('other')
})

/** The root of a single receipt, written out by another library: a leaf under the key of zero. */
function rootOf(type: string, fields: (Hex | [])[]): Hex {
  const receipt: Hex = `0x${type}${Rlp.fromHex(fields).slice(2)}`
  return keccak256(Rlp.fromHex(['0x2080', receipt]))
}
const bloom = pad('0x', { size: 256 })
const plain = { transactionIndex: '0x0', cumulativeGasUsed: '0xb8d1', logsBloom: bloom, logs: [] }

test('a receipt from before Byzantium has a state root instead of a status', () => {
  const root = pad('0x77')
  const expected = rootOf('', [root, '0xb8d1', bloom, []])
  expect(checkReceiptsRoot(expected, [{ ...plain, root }])).toEqual({ kind: 'same' })
  expect(checkReceiptsRoot(expected, [{ ...plain, root, status: '0x1' }])).toEqual({ kind: 'same' })
  expect(checkReceiptsRoot(expected, [{ ...plain, status: '0x1' }]).kind).toBe('other')
})

test('an OP stack deposit includes nonce and version in the root since Canyon, and not before', () => {
  const deposit = { ...plain, type: '0x7e', status: '0x1', depositNonce: '0x12d' }
  const canyon = rootOf('7e', ['0x01', '0xb8d1', bloom, [], '0x012d', '0x01'])
  expect(checkReceiptsRoot(canyon, [{ ...deposit, depositReceiptVersion: '0x1' }])).toEqual({ kind: 'same' })
  expect(checkReceiptsRoot(canyon, [deposit]).kind).toBe('other')
  const regolith = rootOf('7e', ['0x01', '0xb8d1', bloom, []])
  expect(checkReceiptsRoot(regolith, [deposit])).toEqual({ kind: 'same' })
})

test('a receipt of a blob transaction is encoded like the others', () => {
  const expected = rootOf('03', ['0x', '0xb8d1', bloom, []])
  expect(checkReceiptsRoot(expected, [{ ...plain, type: '0x3', status: '0x0' }])).toEqual({ kind: 'same' })
})

test('system receipts of a chain are not part of the root', () => {
  const nobody = pad('0x', { size: 20 })
  const sync = { ...plain, transactionIndex: '0x1', status: '0x1', from: nobody, to: nobody, gasUsed: '0x0' }
  const expected = rootOf('', ['0x01', '0xb8d1', bloom, []])
  expect(checkReceiptsRoot(expected, [{ ...plain, status: '0x1' }, sync])).toEqual({ kind: 'same' })
})

test.each<[string, string | undefined, object]>([
  ['another type', pad('0x01'), { type: '0x6a' }],
  ['no root in the header', undefined, {}],
  ['a root of zeros', pad('0x'), {}],
  ['the root of nothing', '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421', {}],
])('%s cannot be checked, and is not a failure', (_, root, fields) => {
  expect(checkReceiptsRoot(root, [{ ...plain, status: '0x1', ...fields }])).toMatchObject({ kind: 'unknown' })
})

test('values that are not receipts are a bad answer', () => {
  for (const wrong of [null, 5, {}, { ...plain, status: 'x' }, { ...plain, status: '0x1', logs: [{}] }])
    expect(() => checkReceiptsRoot(mixed.block.receiptsRoot, [wrong])).toThrow(/no valid/)
})
