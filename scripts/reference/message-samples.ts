/** An item for each core action, made by the decoders of the service or kept in `docs/cookbook/samples/`. */
import { readFileSync } from 'node:fs'
import { type CoreAction, TriggerSpec } from '@tocsin/contract'
import { parse } from 'yaml'
import type { SourceItem } from '../../server/src/engine/base/source-item.ts'
import { evmItemOf } from '../../server/src/engine/sources/evm/abi/abi-items.ts'
import { encodeValues } from '../../server/src/engine/sources/evm/abi/codec.ts'
import { hashSignature } from '../../server/src/engine/sources/evm/abi/keccak.ts'
import { readAbiLines } from '../../server/src/engine/sources/evm/abi/read-abi.ts'
import { selectorOf } from '../../server/src/engine/sources/evm/abi/selector.ts'
import { decodeError } from '../../server/src/engine/sources/evm/calls/call-error.ts'
import { EvmContents, type EvmParts } from '../../server/src/engine/sources/evm/contents.ts'
import { evm } from '../../server/src/engine/sources/evm/index.ts'
import { prepareOneTrigger } from '../../server/src/engine/sources/one-trigger.ts'

export type Sample = {
  item: SourceItem
  inputs: Record<string, unknown>
  providersData: Record<string, unknown>
}

const address = (digits: string) => `0x${digits.repeat(20)}`
/** The people and contracts of the samples. Some have a name, some do not. */
export const people = {
  ...{ ann: address('a1'), treasury: address('b2'), stranger: address('c3'), router: address('d4') },
  ...{ usdc: address('e5'), vault: address('f6'), nft: address('97'), weth: address('98') },
  polkadot: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  wallet: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
}
const { ann, treasury, stranger, router, usdc, vault, nft, weth, polkadot, mint, wallet } = people

export const seconds = Date.parse('2026-11-19T12:00:00Z') / 1000
const at = { number: 21_000_000, hash: `0x${'5b'.repeat(32)}`, parentHash: `0x${'5a'.repeat(32)}` }
const transactionHash = `0x${'7c'.repeat(32)}`
const signature = '4hXTCkRzt9WyecNzV1XPgCDfGAZzQKNxLXgynz5QDuWWPSAZBZSHptvWRL3BjCvzUXRdKvHL2b7yGrRQcWyaqsaB'
const revert = `0x08c379a0${encodeValues([{ type: 'string', indexed: false }], ['Vault: limit reached']).slice(2)}`

type Call = { to?: string | null; value?: string; input?: string; success?: boolean }

/** The transaction of a block of the samples. */
function transactionOf({ to = vault, value = '0', input = '0x', success = true }: Call): EvmParts {
  return {
    transactions: [
      {
        ...{
          index: 3,
          hash: transactionHash,
          type: 2,
          from: ann,
          to,
          nonce: 5,
          gasLimit: 90_000,
          gasPrice: '1000000000',
        },
        ...{ input, value, status: success ? 1 : 0 },
        receipt: { gasUsed: 52_000, effectiveGasPrice: '1000000000', contractAddress: null, logsCount: 0 },
      },
    ],
  }
}

function logOf(contract: string, line: string, values: Record<string, unknown>): EvmParts {
  const [item] = readAbiLines([line]).map(evmItemOf)
  if (!item) throw new Error(`${line} is no event`)
  const given = (name = '') => values[name]
  const indexed = item.inputs.filter((input) => input.indexed)
  const plain = item.inputs.filter((input) => !input.indexed)
  const topics = indexed.map((input) => encodeValues([input], [given(input.name)]))
  const data = encodeValues(
    plain,
    plain.map(({ name }) => given(name)),
  )
  const log = { address: contract, topics: [hashSignature(item.signature), ...topics], data, transactionHash }
  return { logs: [{ ...log, transactionIndex: 3, index: 7 }] }
}

const header = {
  ...{ transactionsCount: 182, gasLimit: 30_000_000, gasUsed: 15_000_000, baseFeePerGas: '12000000000' },
  ...{ blobGasUsed: null, excessBlobGas: null, miner: router },
}

const transfer = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const granted = 'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)'
const strategist = hashSignature('STRATEGIST_ROLE')
const proposal =
  'event ProposalCreated(uint256 proposalId, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 voteStart, uint256 voteEnd, string description)'

const evmParts: Readonly<Record<string, EvmParts>> = {
  erc20_transfer: logOf(usdc, transfer, { from: treasury, to: stranger, value: 1_250_512_345n }),
  erc721_transfer: logOf(nft, 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)', {
    ...{ from: treasury, to: stranger, tokenId: 8_817n },
  }),
  erc1155_transfer: logOf(
    nft,
    'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    { operator: ann, from: treasury, to: stranger, id: 4n, value: 25_000n },
  ),
  erc20_approval: logOf(usdc, 'event Approval(address indexed owner, address indexed spender, uint256 value)', {
    ...{ owner: treasury, spender: router, value: 2n ** 256n - 1n },
  }),
  native_transfer: transactionOf({ to: treasury, value: '1500000000000000001' }),
  contract_event: logOf(vault, 'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)', {
    previousOwner: ann,
    newOwner: stranger,
  }),
  function_called: transactionOf({
    to: usdc,
    input: `${selectorOf('transfer(address,uint256)')}${encodeValues(
      ['address', 'uint256'].map((type) => ({ type, indexed: false })),
      [stranger, 10n ** 24n],
    ).slice(2)}`,
  }),
  control_changed: logOf(vault, granted, { role: strategist, account: treasury, sender: ann }),
  uniswap_v2_swap: logOf(
    vault,
    'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
    {
      ...{ sender: router, to: ann, amount0In: 3_000_000_000n, amount1In: 0n },
      amount0Out: 0n,
      amount1Out: 10n ** 18n,
    },
  ),
  uniswap_v3_swap: logOf(
    vault,
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
    {
      ...{ sender: router, recipient: ann, amount0: 3_000_000_000n, amount1: -(10n ** 18n) },
      ...{ sqrtPriceX96: 2n ** 96n, liquidity: 10n ** 20n, tick: -200_000 },
    },
  ),
  not_minted: logOf(vault, 'event Deposited(bytes32 indexed id, address indexed sender, uint256 amount)', {
    ...{ id: hashSignature('deposit 7'), sender: treasury, amount: 5_000_000n },
  }),
  nothing_happened: logOf(usdc, transfer, { from: treasury, to: stranger, value: 5_000_000n }),
  too_many: transactionOf({ input: `${selectorOf('withdraw(uint256,address,address)')}00`, success: false }),
  governor_event: logOf(vault, proposal, {
    ...{ proposalId: 12_345_678_901_234_567_890n, proposer: ann, targets: [vault], values: [0n], signatures: [''] },
    ...{ calldatas: ['0x'], voteStart: 1_795_000_000n, voteEnd: 1_795_600_000n, description: 'Raise the limit' },
  }),
}

/** The items of EVM chains are found and decoded as those of a real block. */
async function evmItem({ type, triggerSpec }: CoreAction): Promise<SourceItem> {
  const spec = TriggerSpec.parse(triggerSpec)
  const found = await prepareOneTrigger(evm, spec)
  const number = spec.type === 'evm_block' ? at.number - (at.number % (spec.every ?? 1)) : at.number
  const contents = new EvmContents(seconds, { header, ...evmParts[type] })
  const [item] = found.match({ ...at, number, timestampMs: seconds * 1000, contents })
  if (!item) throw new Error(`The sample of ${type} is no item of its spec.`)
  return item.success === false ? { ...item, error: decodeError(revert, new Map()) } : item
}

const substrateBlock = {
  block: { number: 24_000_000, hash: at.hash, timestamp: seconds },
  index: 4,
  phase: 'ApplyExtrinsic',
}
const solanaBlock = {
  block: { slot: 301_000_000, hash: 'h', timestamp: seconds },
  ...{ transaction: { index: 1, signature, success: true, error: null }, index: 0 },
}
const splParams = { mint, source: wallet, destination: wallet, authority: wallet, amount: '1250500000', decimals: 6 }

/** A change of the health of a workspace. */
const failed = {
  ...{ previousStatus: 'working', severity: 'critical', message: 'It answered 500.' },
  at: new Date(seconds * 1000).toISOString(),
}

const otherItems: Readonly<Record<string, SourceItem>> = {
  balances_transfer: kept('dot-transfer'),
  substrate_balance: { number: 24_000_000, hash: at.hash, parentHash: at.parentHash, timestamp: seconds },
  staking_reward: kept('staking-reward'),
  staking_slash: kept('slash'),
  governance_vote: {
    ...{ ...substrateBlock, pallet: 'ConvictionVoting', event: 'Voted', extrinsic: 2, args: [] },
    params: {
      who: polkadot,
      poll_index: 1_200,
      vote: { type: 'Standard', value: { vote: 128, balance: '5000000000000000' } },
    },
  },
  referendum_submitted: {
    ...{ ...substrateBlock, pallet: 'Referenda', event: 'Submitted', extrinsic: 2, args: [] },
    params: { index: 1_201, track: 33 },
  },
  substrate_call: {
    ...{
      ...substrateBlock,
      pallet: 'Balances',
      call: 'transfer_keep_alive',
      hash: at.hash,
      sender: polkadot,
      nonce: 4,
    },
    ...{ path: '0', success: true, args: [], params: { dest: polkadot, value: '250000000000000000' } },
  },
  spl_transfer: { ...solanaBlock, programId: mint, event: 'transferChecked', params: splParams },
  anchor_event: {
    ...{ ...solanaBlock, programId: mint, event: 'SwapEvent' },
    params: {
      amm: wallet,
      inputMint: mint,
      inputAmount: '1250500000',
      outputMint: mint,
      outputAmount: '99000000000000000',
    },
  },
  solana_instruction: {
    ...{ ...solanaBlock, path: '2', inner: false, programId: mint, instruction: 'transferChecked' },
    ...{ args: { amount: '1250500000', decimals: 6 }, accounts: { source: wallet }, accountsRaw: [], signers: [] },
  },
  health_changed: { ...failed, type: 'destination', name: 'acme.ops-chat', status: 'failing', severity: 'warning' },
  monitor_stopped: { ...failed, type: 'trigger', name: 'acme.watch.vault', status: 'broken' },
  node_stopped: { ...failed, type: 'source', name: 'acme.devnet', status: 'error' },
  destination_failing: {
    ...failed,
    type: 'destination',
    name: 'acme.ops-chat',
    status: 'failing',
    severity: 'warning',
  },
  ...Object.fromEntries(
    ['solana_balance', 'spl_balance', 'timer'].map((type) => [
      type,
      { now: new Date(seconds * 1000).toISOString(), timestampMs: seconds * 1000 },
    ]),
  ),
}

/** A sample of the cookbook. */
function kept(name: string): SourceItem {
  const text = readFileSync(new URL(`../../docs/cookbook/samples/${name}.yaml`, import.meta.url), 'utf8')
  const { item }: { item: SourceItem } = parse(text)
  return item
}

const inputs = { contract: vault, account: treasury, token: usdc, feed: vault, counterpart: router }
const price = { price: { value: '1499.123456', ageMs: 7_200_000, updatedAt: '2026-11-19T10:00:00.000Z' } }
const providersData: Readonly<Record<string, Record<string, unknown>>> = {
  contract_value_bound: { value: '875' },
  contract_value_change: { value: '875000' },
  native_balance: { block: '0x1', balance: '0x2b5e3af16b1880000' },
  token_balance: { token: { symbol: 'USDC', decimals: 6 }, balance: '995123456' },
  substrate_balance: { account: { data: { free: '25000000000' } } },
  solana_balance: { account: { lamports: '250000000', slot: 301_000_000 } },
  spl_balance: {
    token: { symbol: 'USDC', decimals: 6 },
    held: { data: `0x${'00'.repeat(64)}40420f0000000000${'00'.repeat(93)}`, slot: 301_000_000 },
    held2022: { data: null, slot: 301_000_000 },
  },
  not_minted: { minted: null },
  uniswap_v2_swap: { token0: usdc, token1: weth },
  uniswap_v3_swap: { token0: usdc, token1: weth },
  price_bound: price,
  price_stale: price,
}

export async function sampleOf(action: CoreAction): Promise<Sample> {
  const { type, kind } = action
  const item = kind === 'evm' ? await evmItem(action) : otherItems[type]
  if (!item) throw new Error(`${type} has no sample.`)
  const accounts = { evm: {}, substrate: { account: polkadot }, solana: {}, timer: { account: wallet, mint } }
  const own = Object.hasOwn(accounts, kind) ? Reflect.get(accounts, kind) : {}
  return { item, inputs: { ...inputs, ...own }, providersData: providersData[type] ?? {} }
}
