import { pad } from 'viem'
import { expect, test } from 'vitest'
import { hashSignature } from './abi/keccak.ts'
import type { EvmLog } from './contents.ts'
import { logDecoder } from './log-decoder.ts'
import { logKeys } from './log-keys.ts'
import type { EvmLogSpec } from './spec-events.ts'

const block = { number: 1, hash: '0xb', parentHash: '0xa', contents: undefined }
const topic0 = hashSignature('Transfer(address,address,uint256)')
const erc20 = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const erc721 = 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'
const wallet = pad('0x1', { size: 20 })
const contract = pad('0x2', { size: 20 })

function transfer(topics: number, data: string): EvmLog {
  const place = { transactionHash: pad('0x3'), transactionIndex: 0, index: 0 }
  return { address: contract, topics: [topic0, ...Array(topics - 1).fill(pad(wallet))], data, ...place }
}
const specOf = (spec: Partial<EvmLogSpec>): EvmLogSpec => ({ type: 'evm_log', dataSource: 'x', ...spec })
const decoderOf = (spec: Partial<EvmLogSpec>) => logDecoder(specOf(spec))

test('triggers with the same events share one decoding of a log, whatever their other conditions', async () => {
  const one = await decoderOf({ abiFragment: erc20, contract })
  const other = await decoderOf({ abiFragment: [erc20, 'function f()'], topicsCount: 3 })
  const log = transfer(3, pad('0x5'))
  const item = one.itemOf(block, 7, log)
  expect(item?.params).toEqual({ from: wallet, to: wallet, value: '5' })
  expect(other.itemOf(block, 7, log)).toBe(item)
  expect(other).toBe(one)
  expect(one.itemOf(block, 7, transfer(3, pad('0x6')))?.params).toMatchObject({ value: '6' })
  expect(one.itemOf({ ...block, hash: '0xc' }, 7, log)).toMatchObject({ blockHash: '0xc' })
})

test('specs with other names do not share a decoding', async () => {
  const named = await decoderOf({ abiFragment: erc20.replace('value', 'amount') })
  const log = transfer(3, pad('0x5'))
  expect((await decoderOf({ abiFragment: erc20 })).itemOf(block, 7, log)?.params).toHaveProperty('value')
  expect(named.itemOf(block, 7, log)?.params).toHaveProperty('amount')
})

test('a known event needs no "indexed" marks: the number of topics distinguishes ERC-20 from ERC-721', async () => {
  const event = 'Transfer(address,address,uint256)'
  for (const spec of [{ event }, { abiFragment: `event ${event}` }, { abiFragment: ['event Ping()', event] }]) {
    const decoder = await decoderOf(spec)
    const paramsOf = (log: EvmLog) => decoder.itemOf(block, 7, log)?.params
    expect(paramsOf(transfer(3, pad('0x5')))).toEqual({ from: wallet, to: wallet, value: '5' })
    expect(paramsOf(transfer(4, '0x'))).toEqual({ from: wallet, to: wallet, tokenId: '1' })
    expect(paramsOf(transfer(1, `${pad(wallet)}${pad(wallet).slice(2)}${pad('0x5').slice(2)}`))).toMatchObject({
      to: wallet,
    })
    expect(decoder.itemOf(block, 7, transfer(2, pad('0x5')))).toMatchObject({
      params: {},
      undecoded: expect.stringContaining('1 of 3'),
    })
  }
})

test('an anonymous event is found by the shape of its data in every form of ABI', async () => {
  const log = { ...transfer(3, pad('0x5')), topics: [pad(wallet)] }
  for (const spec of [
    { abiFragment: 'event Put(address indexed who, uint256 amount) anonymous;' },
    { abiFragment: ['struct S { uint256 a; }', 'event Put(address indexed who, uint256 amount) anonymous'] },
    { event: 'Put(address indexed who, uint256 amount) anonymous' },
  ])
    expect((await decoderOf(spec)).itemOf(block, 7, log)?.params).toEqual({ who: wallet, amount: '5' })
  const unmarked = await decoderOf({ event: 'Put(uint256 amount) anonymous' })
  expect(unmarked.itemOf(block, 7, { ...log, topics: [] })?.params).toEqual({ amount: '5' })
  expect(unmarked.itemOf(block, 7, log)).toBeUndefined()
})

test('match keys distinguish events by their topics, and omit inputs that need decoding', async () => {
  const keysOf = async (spec: Partial<EvmLogSpec>) =>
    logKeys(specOf(spec), (await decoderOf(spec)).forms).map(({ topic0, topicsCount, inputs }) => [
      topic0,
      topicsCount,
      inputs?.length,
    ])
  expect(await keysOf({ abiFragment: [erc20, erc721, erc20] })).toEqual([
    [topic0, 3, 3],
    [topic0, 4, 3],
  ])
  expect(await keysOf({ abiFragment: [erc20, erc721], topicsCount: 4 })).toEqual([[topic0, 4, 3]])
  expect(await keysOf({ abiFragment: [erc20], topicsCount: 2 })).toEqual([])
  const unlike = erc20.replace('indexed to', 'to').replace('uint256', 'uint256 indexed')
  expect(await keysOf({ abiFragment: [erc20, unlike] })).toEqual([[topic0, 3, undefined]])
  const inputs = [1, 2].map((at) => ({ name: `n${at}`, type: 'address', indexed: true }))
  const anonymous = { type: 'event', name: 'Any', anonymous: true, inputs }
  expect(await keysOf({ abiFragment: [erc20, anonymous] })).toEqual([
    [topic0, 3, 3],
    [undefined, 2, 2],
  ])
  expect(await keysOf({ event: 'Transfer(address,address,uint256)' })).toEqual([
    [topic0, 1, 3],
    [topic0, 2, 0],
    [topic0, 3, 3],
    [topic0, 4, 3],
  ])
  expect(await keysOf({})).toEqual([[undefined, undefined, undefined]])
})
