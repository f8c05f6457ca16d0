import type { TriggerSpec } from '@tocsin/contract'
import { encodeAbiParameters, keccak256, pad, parseAbiParameters, toHex } from 'viem'
import { expect, test } from 'vitest'
import type { ChainBlock } from './block.ts'
import { EvmContents, type EvmLog } from './evm/contents.ts'
import { evm } from './evm/index.ts'
import { prepareOneTrigger } from './one-trigger.ts'

const [maker, stranger, pool, other] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}` as const)
const factory = { contract: maker!, event: 'Made', abiFragment: 'event Made(address pool)', parameter: 'pool' }
const spec = (fromBlock?: number): TriggerSpec => ({
  ...{ type: 'evm_log', dataSource: 'x', abiFragment: 'event Ping()' },
  contract: { factory: { ...factory, ...(fromBlock !== undefined && { fromBlock }) } },
})
const topicOf = (signature: string) => keccak256(toHex(signature))

function ping(address: string | undefined): Partial<EvmLog> {
  return { address: address ?? '', topics: [topicOf('Ping()')] }
}

function made(by: string | undefined, created: `0x${string}` | undefined): Partial<EvmLog> {
  const data = encodeAbiParameters(parseAbiParameters('address'), [created ?? '0x'])
  return { address: by ?? '', topics: [topicOf('Made(address)')], data }
}

function blockOf(number: number, ...given: Partial<EvmLog>[]): ChainBlock {
  const logs = given.map((fields, index) => ({
    ...{ address: '', topics: [], data: '0x', transactionHash: pad('0x1'), transactionIndex: 0, index },
    ...fields,
  }))
  return { number, hash: `0x${number}`, parentHash: `0x${number - 1}`, contents: new EvmContents(1, { logs }) }
}

test('a contract counts from the block in which the factory creates it, and only those of the factory count', async () => {
  const trigger = await prepareOneTrigger(evm, spec())
  expect(trigger.match(blockOf(1, ping(pool), made(stranger, other), ping(other)))).toEqual([])
  expect(trigger.match(blockOf(2, ping(pool), made(maker, pool), ping(other)))).toMatchObject([{ address: pool }])
  expect(trigger.match(blockOf(3, ping(other), ping(pool)))).toMatchObject([{ address: pool }])
})

test('members are also learned from other blocks, and none from blocks before the first one of the factory', async () => {
  const trigger = await prepareOneTrigger(evm, spec(5))
  trigger.learn(blockOf(4, made(maker, pool)))
  expect(trigger.match(blockOf(6, ping(pool)))).toEqual([])
  trigger.learn(blockOf(5, made(maker, pool)))
  trigger.addMembers([other!])
  expect(trigger.match(blockOf(6, ping(other), ping(pool)))).toMatchObject([{ address: other }, { address: pool }])
})

test('items carry the fields of the binding, also those of a factory', async () => {
  const trigger = await prepareOneTrigger(evm, spec(), { binding: 'b', network: 'eip155:7' })
  const bound = { address: pool, binding: 'b', network: 'eip155:7' }
  expect(trigger.match(blockOf(2, made(maker, pool), ping(pool)))).toMatchObject([bound])
})

test('a spec that no log can match finds nothing', async () => {
  const transfer = 'event Transfer(address indexed from, address indexed to, uint256 value)'
  const trigger = await prepareOneTrigger(evm, {
    ...{ type: 'evm_log', dataSource: 'x', abiFragment: transfer, topicsCount: 1 },
  })
  expect(trigger.items.keys).toEqual([])
  expect(trigger.match(blockOf(2, ping(pool)))).toEqual([])
})
