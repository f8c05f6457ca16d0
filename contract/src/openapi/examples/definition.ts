import type { Routes } from '../../routes/index.ts'
import type { BodyInput } from '../../routes/route.ts'

/** Names that all examples share, so that they can be sent one after the other. */
export const workspace = 'acme'
export const project = 'acme.monitors'
export const trigger = 'acme.monitors.large-transfers'
export const resource = 'acme.ops-webhook'

export const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const whale = '0x28C6c06298d514Db089934071355E5743bf21d60'
const treasury = '0x40B38765696e3d5d8d9d834D8AaD4bB6e418E489'

export const transferSpec = {
  type: 'evm_log',
  dataSource: 'common.ethereum',
  contract: usdc,
  abiFragment: 'event Transfer(address indexed from, address indexed to, uint256 value)',
} as const

/** A USDC transfer as a source item. */
export const transferItem = {
  address: usdc,
  blockNumber: 23000000,
  blockHash: `0x${'1f'.repeat(32)}`,
  blockTimestamp: '2025-07-26T12:00:00.000Z',
  transactionHash: `0x${'2e'.repeat(32)}`,
  transactionIndex: 12,
  index: 40,
  event: 'Transfer',
  args: [whale, treasury, '2500000000000'],
  params: { from: whale, to: treasury, value: '2500000000000' },
}

export const transferTransform = {
  rawSource: '({ from: source.params.from, to: source.params.to, value: source.params.value })',
  humanSource: '({ ...raw, amount: helpers.formatUnits(raw.value, 6) })',
}

export const largeTransfers: BodyInput<Routes['saveTrigger']> = {
  name: 'large-transfers',
  fullname: trigger,
  project,
  workspace,
  backend: { type: 'sdk' },
  inputs: {},
  meta: { title: 'Large USDC transfers', description: 'Transfers of one million USDC and more.' },
  tags: ['stablecoins'],
  triggerSpec: transferSpec,
  conditions: { param: 'source.params.value', op: 'gte', value: { amount: '1000000', decimals: 6 } },
  filtersSchema: { from: { type: 'address', addressType: 'evm', sourcePath: 'params.from' } },
  outputSchema: { from: 'string', to: 'string', value: { type: 'balance', decimals: 6 } },
  transform: transferTransform,
  defaults: {
    title: 'Transfer of {{human.amount}} USDC',
    short: '{{address raw.from}} → {{address raw.to}}',
    severity: 'warning',
  },
}
