import type { Provider, TriggerSpec } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { parsePath } from '../base/paths.ts'
import { explainAbsence, knownShapes, locateInRun } from './known-shapes.ts'

const dataSource = 'common.ethereum'
const contract = `0x${'1'.repeat(40)}`
const specs: Record<string, TriggerSpec> = {
  log: { type: 'evm_log', dataSource, abiFragment: 'event Moved(address indexed from, uint256 value)' },
  anyLog: { type: 'evm_log', dataSource },
  transaction: { type: 'evm_transaction', dataSource },
  substrate: { type: 'substrate_event', dataSource: 'common.polkadot', pallet: 'Balances', event: 'Transfer' },
  timer: { type: 'timer', interval: '1m' },
  anchor: {
    ...{ type: 'solana_event', dataSource: 'common.solana', event: 'Filled' },
    idl: {
      ...{ address: 'x', metadata: { name: 'x', version: '0', spec: '0.1.0' }, instructions: [], accounts: [] },
      events: [{ name: 'Filled', discriminator: [1, 2, 3, 4, 5, 6, 7, 8] }],
      types: [{ name: 'Filled', type: { kind: 'struct', fields: [{ name: 'base_size', type: 'u64' }] } }],
    },
  },
  instruction: {
    ...{ type: 'solana_instruction', dataSource: 'common.solana', instruction: 'swap' },
    idl: {
      ...{ version: '0', name: 'x', accounts: [] },
      instructions: [
        {
          name: 'swap',
          accounts: [{ name: 'pool', isMut: true, isSigner: false }],
          args: [{ name: 'amountIn', type: 'u64' }],
        },
      ],
    },
  },
}
const providers = [
  { id: 'token', type: 'token_metadata', contract },
  { id: 'eth', type: 'price', feed: contract },
  { id: 'then', type: 'block_at', time: '2026-01-01' },
  { id: 'window', type: 'state_window', dedupeBy: 'a', value: 'b', keepLast: 5, aggregate: ['sum'] },
  {
    ...{ id: 'supply', type: 'evm_read', contract, method: 'totalSupply' },
    abiFragment: 'function totalSupply() view returns (uint256)',
  },
  {
    ...{ id: 'slot', type: 'evm_read', contract, method: 'slot0' },
    abiFragment: 'function slot0() view returns (uint160 sqrtPriceX96, int24 tick)',
  },
  { id: 'pda', type: 'solana_account', account: 'x' },
  { id: 'page', type: 'http', url: 'https://example.org' },
] as Provider[]

const explain = async (spec: string, path: string) => {
  const shapes = await knownShapes({ triggerSpec: specs[spec] ?? null, providers })
  const located = locateInRun(shapes, parsePath(path))
  return located && explainAbsence(located, path)
}

test.each([
  ...['log source.blockNumber', 'log source.params.value', 'log source.topics.0', 'log source.args.1'],
  ...['transaction source.receipt.gasUsed', 'transaction source.block.timestamp', 'substrate source.params.amount'],
  ...['timer source.now', 'anchor source.params.base_size', 'anchor source.params.baseSize', 'stream source.anything'],
  ...['instruction source.args.amountIn', 'instruction source.accounts.pool', 'anchor source.transaction.signature'],
  ...['log providers.token.decimals', 'log providers.eth.value', 'log providers.then.number'],
  ...['log providers.window.sum', 'log providers.window.values.0', 'log providers.supply', 'log providers.slot.tick'],
  ...['log providers.page.data.price', 'log inputs.limit'],
])('%s can exist', async (text) => {
  const [spec = '', path = ''] = text.split(' ')
  expect(await explain(spec, path)).toBeUndefined()
})

test.each([
  ['log source.blockNumbr', 'source.blockNumber'],
  ['log source.params.valeu', 'source.params.value'],
  ['transaction source.receipt.gasUse', 'source.receipt.gasUsed'],
  ['transaction source.params.value', undefined],
  ['substrate source.block.numer', 'source.block.number'],
  ['timer source.nwo', 'source.now'],
  ['anchor source.params.bas_size', 'source.params.base_size'],
  ['anchor source.transaction.signatur', 'source.transaction.signature'],
  ['instruction source.args.amountin', 'source.args.amountIn'],
  ['log providers.token.decimal', 'providers.token.decimals'],
  ['log providers.eth.price', undefined],
  ['log providers.then.timestamp', 'providers.then.timestampMs'],
  ['log providers.window.avg', undefined],
  ['log providers.pda.lamport', 'providers.pda.lamports'],
  ['log providers.slot.ticks', 'providers.slot.tick'],
])('%s can never exist; %s may be meant', async (text, meant) => {
  const [spec = '', path = ''] = text.split(' ')
  const message = await explain(spec, path)
  expect(message).toContain(`there is no ${path}`)
  if (meant === undefined) expect(message).not.toContain('did you mean')
  else expect(message).toContain(`; did you mean ${meant}?`)
})

test('without an event or an ABI no parameter is decoded, and the message says why', async () => {
  expect(await explain('anyLog', 'source.params.value')).toBe(
    'there is no source.params.value: no ABI or IDL of the trigger describes it',
  )
})
