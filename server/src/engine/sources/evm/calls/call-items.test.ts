import { encodeFunctionData, pad, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { itemsIn } from '../../../../../../tests/harness/items-in.ts'
import { EvmContents, type EvmTransaction } from '../contents.ts'
import { evm } from '../index.ts'
import { callDecoder } from './call-decoder.ts'
import type { EvmCallSpec } from './spec-functions.ts'

const abi = ['function transfer(address to, uint256 amount) returns (bool)', 'function pause()']
const [to, wallet] = [pad('0x2', { size: 20 }), pad('0x1', { size: 20 })]
const transferData = encodeFunctionData({ abi: parseAbi(abi), functionName: 'transfer', args: [wallet, 5n] })

function transaction(change: Partial<EvmTransaction>): EvmTransaction {
  return {
    ...{ index: 0, hash: pad('0x3'), type: 2, from: wallet, to, nonce: 0, gasLimit: 90_000, gasPrice: '1' },
    ...{ input: transferData, value: '0', status: 1 },
    receipt: { gasUsed: 50_000, effectiveGasPrice: '1', contractAddress: null, logsCount: 0 },
    ...change,
  }
}

async function match(spec: Partial<EvmCallSpec>, ...transactions: EvmTransaction[]) {
  const block = { number: 7, hash: '0xb', parentHash: '0xa', contents: new EvmContents(9, { transactions }) }
  return itemsIn(evm, { type: 'evm_call', dataSource: 'x', ...spec }, block)
}

test('a call has the fields of its transaction and its decoded arguments', async () => {
  expect(await match({ abiFragment: abi }, transaction({}))).toEqual([
    {
      block: { number: 7, hash: '0xb', timestamp: 9 },
      ...{ transactionHash: pad('0x3'), transactionIndex: 0, index: 0, depth: 0, type: 'call', from: wallet },
      ...{ to, address: to, value: '0', input: transferData, methodId: '0xa9059cbb', method: 'transfer' },
      ...{ args: [wallet, '5'], params: { to: wallet, amount: '5' }, success: true, gasUsed: 50_000, output: null },
    },
  ])
})

test.each([
  [
    'a signature with names',
    { method: 'transfer(address who, uint256)' },
    { args: [wallet, '5'], params: { who: wallet } },
  ],
  [
    'a bare signature',
    { method: 'transfer(address,uint256)' },
    { method: 'transfer', args: [wallet, '5'], params: {} },
  ],
  ['a selector', { method: '0xA9059CBB' }, { method: null, args: [], params: {} }],
  ['a selector of the ABI', { method: '0xa9059cbb', abiFragment: abi }, { method: 'transfer', args: [wallet, '5'] }],
  ['a name of the ABI', { method: 'transfer', abiFragment: abi }, { params: { to: wallet, amount: '5' } }],
  ['no method', {}, { method: null, methodId: '0xa9059cbb', args: [], params: {} }],
])('%s finds the call', async (_, spec, item) => {
  expect(await match(spec, transaction({}))).toMatchObject([item])
})

test.each<[string, Partial<EvmCallSpec>, Partial<EvmTransaction>]>([
  ['another function', { method: 'pause', abiFragment: abi }, {}],
  ['another contract', { contract: [wallet] }, {}],
  ['a failed call', {}, { status: 0 }],
  ['a call that succeeded, if failed ones are wanted', { success: false }, {}],
  ['arguments that are cut off', { abiFragment: abi }, { input: transferData.slice(0, 100) }],
  ['an input of less than four bytes', { method: '0xa9059cbb' }, { input: '0xa9059c' }],
  ['a contract creation whose code begins like the function', { method: '0xa9059cbb' }, { to: null }],
])('%s is not found', async (_, spec, change) => {
  expect(await match(spec, transaction(change))).toEqual([])
})

test('failed calls match where they are wanted, and both kinds with "any"', async () => {
  const both = [transaction({ status: 0 }), transaction({ index: 1, hash: pad('0x4') })]
  expect(await match({ success: false }, ...both)).toMatchObject([{ success: false, transactionIndex: 0 }])
  expect(await match({ success: 'any', contract: to }, ...both)).toMatchObject([{ success: false }, { success: true }])
})

test('a creation is a call to the created contract; a failed one has no address', async () => {
  const contractAddress = pad('0x9', { size: 20 })
  const receipt = { ...transaction({}).receipt!, contractAddress }
  const creation = { type: 'create', methodId: null, method: null, args: [] }
  expect(await match({ contract: contractAddress }, transaction({ to: null, receipt }))).toMatchObject([
    { ...creation, to: contractAddress, address: contractAddress },
  ])
  expect(await match({ success: 'any' }, transaction({ to: null, receipt, status: 0 }))).toMatchObject([
    { ...creation, to: null, address: null, success: false },
  ])
})

test('specs with the same functions share one decoding of a call', async () => {
  const decoders = await Promise.all(
    [{ contract: to }, { success: 'any' as const }].map((spec) =>
      callDecoder({ type: 'evm_call', dataSource: 'x', abiFragment: abi, ...spec }),
    ),
  )
  expect(decoders[0]).toBe(decoders[1])
})
