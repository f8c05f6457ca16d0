import { CoreActionsReply, defaultLimits, OutputSchema, Transform } from '@tocsin/contract'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod'
import { readDefinition } from '../check/index.ts'
import { messageContext, networkOfItem, renderMessage, templatesOf } from '../message/index.ts'
import { copyWindows } from '../providers/index.ts'
import { runTrigger } from '../run-trigger/index.ts'
import { startScripts } from '../script/index.ts'
import { listCoreActions } from './core-actions.ts'
import { type NetworkFacts, networkFacts } from './network-facts.ts'

test.each(listCoreActions().map((action) => [action.type, action] as const))(
  '%s is a valid definition without changes',
  async (type, action) => {
    const { triggerSpec, inputs, filtersSchema, providers, outputSchema, transform, defaults } = action
    const read = await readDefinition(
      {
        name: type,
        fullname: `acme.p.${type}`,
        project: 'acme.p',
        workspace: 'acme',
        backend: { type: 'sdk' },
        meta: { title: action.title, description: action.description },
        triggerSpec,
        inputs,
        filtersSchema,
        providers,
        outputSchema,
        transform,
        defaults,
      },
      defaultLimits,
    )
    expect(read.ok ? [] : read.issues).toEqual([])
  },
)

test('the catalogue has one entry per type and fits its reply', () => {
  const types = [
    ...['erc20_transfer', 'erc721_transfer', 'erc1155_transfer', 'erc20_approval', 'native_transfer'],
    ...['contract_event', 'function_called', 'control_changed', 'uniswap_v2_swap', 'uniswap_v3_swap'],
    ...['contract_value_bound', 'contract_value_change', 'native_balance', 'token_balance'],
    ...['price_bound', 'price_stale', 'nothing_happened', 'too_many', 'new_block', 'governor_event', 'not_minted'],
    ...[
      'balances_transfer',
      'substrate_balance',
      'staking_reward',
      'staking_slash',
      'governance_vote',
      'referendum_submitted',
      'substrate_call',
    ],
    ...['spl_transfer', 'anchor_event', 'solana_instruction', 'solana_balance', 'spl_balance', 'timer'],
    ...['health_changed', 'monitor_stopped', 'node_stopped', 'destination_failing'],
  ]
  expect(listCoreActions().map((action) => action.type)).toEqual(types)
  expect(CoreActionsReply.parse({ actions: listCoreActions() })).toEqual({ actions: listCoreActions() })
})

/** Items as the sources make them, so that what the starting points do with them is seen, not guessed. */
const [ann, bob] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
const ss58 = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'
const evmHash = `0x${'ab'.repeat(32)}`
const signature = '5'.repeat(88)
const key = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const paramsOf: Record<string, Record<string, unknown>> = {
  evm: {
    ...{ from: ann, to: bob, value: '1250500000', tokenId: '7', operator: ann, id: '1', owner: ann, spender: bob },
    ...{ sender: ann, recipient: bob, amount0In: '0', amount1In: '9', amount0Out: '4', amount1Out: '0' },
    ...{ amount0: '-5', amount1: '6', sqrtPriceX96: '1', liquidity: '2', tick: -3 },
    ...{ proposalId: '7', proposer: ann, description: 'Raise the limit' },
  },
  substrate: {
    ...{ from: ss58, to: ss58, amount: '10', stash: ss58, who: ss58, voter: ss58, ref_index: 3, poll_index: 3 },
    ...{ staker: ss58, index: 3, track: 1 },
    ...{ vote: { type: 'Standard', value: { vote: 128, balance: '5' } } },
  },
  solana: { mint: key, source: key, destination: key, authority: key, amount: '10', decimals: 6 },
  timer: {},
}
const blockOf: Record<string, object> = {
  evm: {
    block: { number: 1 },
    blockNumber: 1,
    blockHash: evmHash,
    blockTimestamp: 1_700_000_000,
    transactionHash: evmHash,
    transactionIndex: 0,
  },
  substrate: { block: { number: 1, hash: evmHash, timestamp: 1_700_000_000_000 }, pallet: 'Balances', extrinsic: 1 },
  solana: { block: { slot: 1, hash: 'h', timestamp: 1_700_000_000 }, transaction: { index: 0, signature } },
  timer: { now: '2026-01-01T00:00:00.000Z', timestampMs: 1_767_225_600_000 },
}
/** What the items of calls, blocks and instructions have beside events. */
const callParts = {
  from: ann,
  method: 'transfer',
  methodId: '0xa9059cbb',
  call: 'transfer',
  sender: ss58,
  hash: evmHash,
  value: '0',
  path: '0',
}
const blockParts = { number: 1, timestamp: 1_700_000_000, transactionsCount: 2 }
const instructionParts = { instruction: 'transferChecked', args: {}, accounts: {} }
const providersData: Record<string, Record<string, unknown>> = {
  contract_value_bound: { value: '5' },
  contract_value_change: { value: '5' },
  native_balance: { block: '0x1', balance: '0xde0b6b3a7640000' },
  token_balance: { token: { symbol: 'TKN', decimals: 6 }, balance: '5' },
  substrate_balance: { account: { data: { free: '25000000000' } } },
  solana_balance: { account: { lamports: '2500000000', slot: 5 } },
  spl_balance: {
    token: { symbol: 'USDC', decimals: 6 },
    held: { data: `0x${'00'.repeat(64)}40420f0000000000${'00'.repeat(93)}`, slot: 5 },
    held2022: { data: null, slot: 5 },
  },
  uniswap_v2_swap: { token0: ann, token1: bob },
  uniswap_v3_swap: { token0: ann, token1: bob },
  not_minted: { minted: null },
  price_bound: { price: { value: '1.5', ageMs: 1500, updatedAt: '2026-01-01T00:00:00.000Z' } },
  price_stale: { price: { value: '1.5', ageMs: 1500, updatedAt: '2026-01-01T00:00:00.000Z' } },
}
const inputs = { contract: ann, account: bob, token: ann, feed: ann, counterpart: bob }
const substrateInputs = { account: ss58 }
const solanaInputs = { account: key, mint: key }
const transaction = {
  from: ann,
  to: bob,
  value: '1500000000000000000',
  depth: 0,
  transactionHash: evmHash,
  block: { number: 1, hash: evmHash, timestamp: 1 },
}

const scripts = startScripts({ children: 1 })
afterAll(() => scripts.close())

test.each(listCoreActions().map((action) => [action.type, action] as const))(
  'the preview of %s gives an output that fits its outputSchema',
  async (type, { kind, transform, outputSchema, defaults }) => {
    const isTransaction = type === 'native_transfer'
    const parts = { ...callParts, ...blockParts, ...instructionParts }
    const item = {
      ...parts,
      address: ann,
      event: 'E',
      programId: key,
      index: 0,
      params: paramsOf[kind],
      ...blockOf[kind],
      ...(kind === 'solana' && { hash: undefined }),
      ...(kind === 'workspace' && failure),
    }
    const trigger = {
      ...Parts.parse({ transform, outputSchema }),
      providers: [],
      activation: null,
      executionPolicy: null,
    }
    const source = isTransaction ? { ...item, ...transaction } : item
    const given = kind === 'substrate' ? substrateInputs : kind === 'timer' ? solanaInputs : inputs
    const [run] = await runTrigger(
      trigger,
      [{ source, inputs: given, nowMs: 0, providersData: providersData[type] ?? {} }],
      {
        scripts,
        outputsMax: 1,
        providers: neverAsked,
      },
    )
    expect(run).toMatchObject({ kind: 'output', issues: [] })
    const [output] = run?.kind === 'output' ? run.outputs : []
    if (!output) return
    const context = messageContext({ trigger: { title: '', fullname: '', project: '' }, item: source, output })
    const { message, issues } = renderMessage(templatesOf(defaults, {}), context, {
      addressBook: (address) => (address === ann || address === ss58 ? 'vitalik' : undefined),
      network: networkOfItem(
        { facts: networks[kind] ?? { kind: 'evm' }, tokenOf: () => usdc, nameOf: () => undefined },
        source,
      ),
    })
    expect(issues).toEqual([])
    expect([message.short, message.links?.[0]?.url]).toEqual(shown[type] ?? [expect.any(String), linkOf(kind)])
  },
)

const failure = {
  ...{ type: 'trigger', name: 'acme.pay.big', status: 'broken', previousStatus: 'ready', severity: 'critical' },
  ...{ message: 'it threw', at: '2026-01-02T03:04:05.000Z' },
}
/** The messages that show amounts. */
const usdc = { symbol: 'USDC', decimals: 6 }
const networks: Record<string, NetworkFacts> = {
  evm: networkFacts('evm', { chainId: '1' }),
  substrate: networkFacts('substrate', {
    genesisHash: '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3',
  }),
  solana: networkFacts('solana', { genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }),
}
const linkOf = (kind: string) =>
  kind === 'timer' || kind === 'workspace' ? undefined : expect.stringMatching(/^https:/)
const shortBob = '0xbbbb…bbbb'
const evmLink = `https://etherscan.io/tx/${evmHash}`
const shown: Record<string, [string, string | undefined]> = {
  erc20_transfer: [`1,250.5 USDC moved from vitalik to ${shortBob}`, evmLink],
  erc20_approval: [`vitalik lets ${shortBob} spend 1,250.5 USDC`, evmLink],
  native_transfer: [`1.5 ETH moved from vitalik to ${shortBob}`, evmLink],
  uniswap_v2_swap: ['Swap of 0.000009 USDC for 0.000004 USDC in vitalik', evmLink],
  uniswap_v3_swap: ['Swap of 0.000006 USDC for 0.000005 USDC in vitalik', evmLink],
  native_balance: [`${shortBob} has 1 ETH`, 'https://etherscan.io/block/1'],
  token_balance: [`${shortBob} has 0.000005 TKN`, 'https://etherscan.io/block/1'],
  balances_transfer: ['0.000000001 DOT moved from vitalik to vitalik', 'https://polkadot.subscan.io/block/1'],
  substrate_balance: ['vitalik has 2.5 DOT', 'https://polkadot.subscan.io/block/1'],
  staking_reward: ['vitalik was paid 0.000000001 DOT for staking', 'https://polkadot.subscan.io/block/1'],
  staking_slash: ['vitalik lost 0.000000001 DOT by a slash', 'https://polkadot.subscan.io/block/1'],
  solana_balance: ['Tokenk…Q5DA has 2.5 SOL on Solana', undefined],
  spl_balance: ['Tokenk…Q5DA has 1 USDC on Solana', undefined],
  spl_transfer: ['0.00001 USDC moved from Tokenk…Q5DA to Tokenk…Q5DA', `https://solscan.io/tx/${signature}`],
}

const Parts = z.object({ transform: Transform.nullable().default(null), outputSchema: OutputSchema.optional() })

/** The results of providers are given. */
const neverAsked = {
  scripts,
  windows: copyWindows(),
  trigger: 'core',
  door: { fetch: never, webSocket: never },
  connection: never,
}
function never(): never {
  throw new Error('A starting point asked for something')
}
