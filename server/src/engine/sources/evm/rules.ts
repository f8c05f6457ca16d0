import { evmDescription, type Issue, type Provider, type TriggerSpec } from '@tocsin/contract'
import { issueUnless } from '../../base/issue-unless.ts'
import { parsePath } from '../../base/paths.ts'
import { holdsPlaceholder } from '../../base/placeholders.ts'
import type { ChainRules, CheckedAddress, PublicNetwork, Warning } from '../chain-rules.ts'
import { checkEventAbi, checkFunctionAbi, checkMethodAbi, isNamed } from './abi/check-abi.ts'
import { itemShapes, resultShapes } from './abi/item-shapes.ts'
import { readAbi } from './abi/read-abi.ts'
import { isSelector } from './abi/selector.ts'
import { warnOfUnmarkedEvent } from './abi/unmarked-event.ts'
import { hasWrongChecksum, isEvmAddress } from './address.ts'
import { factoryOf, type WithContract, writtenContracts } from './contracts.ts'
import { evmCoreActions } from './core-actions/index.ts'
import { tellEvmEvent } from './event-words.ts'
import { checkFactory, factoryKey } from './factory.ts'
import { knownName } from './known-names.ts'
import { knownEvmNetworks } from './known-networks.ts'

const blockFields = ['blockNumber', 'blockHash', 'blockTimestamp', 'transactionHash', 'transactionIndex']
const ownBlockFields = ['block.number', 'block.hash', 'block.timestamp']
const receiptFields = ['gasUsed', 'effectiveGasPrice', 'contractAddress', 'logsCount'].map((name) => `receipt.${name}`)
const feeFields = ['gasLimit', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas']

const publicNetwork = (title: string, chainId: string): PublicNetwork => ({ title, identity: { chainId } })

export const evmRules: ChainRules = {
  description: evmDescription,
  coreActions: evmCoreActions,
  networks: {
    arbitrum: publicNetwork('Arbitrum One', '42161'),
    avalanche: publicNetwork('Avalanche C-Chain', '43114'),
    base: publicNetwork('Base', '8453'),
    bsc: publicNetwork('BNB Smart Chain', '56'),
    ethereum: publicNetwork('Ethereum', '1'),
    gnosis: publicNetwork('Gnosis', '100'),
    linea: publicNetwork('Linea', '59144'),
    moonbeam: publicNetwork('Moonbeam', '1284'),
    optimism: publicNetwork('OP Mainnet', '10'),
    polygon: publicNetwork('Polygon PoS', '137'),
    scroll: publicNetwork('Scroll', '534352'),
    sepolia: publicNetwork('Ethereum Sepolia', '11155111'),
  },
  knownName,
  tellEvent: tellEvmEvent,
  specs: {
    evm_log: ['address', ...blockFields, 'index', 'data', 'topics', 'event', 'args', 'params'],
    evm_transaction: [
      ...[...ownBlockFields, 'index', 'hash', 'type', 'from', 'to', 'nonce', ...feeFields],
      ...['input', 'value', 'methodId', 'status', ...receiptFields],
    ],
    evm_call: [
      ...[...ownBlockFields, 'transactionHash', 'transactionIndex', 'index', 'depth', 'type', 'from', 'to', 'address'],
      ...['value', 'input', 'methodId', 'method', 'args', 'params', 'success', 'gasUsed', 'output', 'error'],
    ],
    evm_block: [
      ...['number', 'hash', 'parentHash', 'timestamp', 'transactionsCount', 'gasLimit', 'gasUsed'],
      ...['baseFeePerGas', 'blobGasUsed', 'excessBlobGas', 'miner'],
    ],
  },
  checkSpec,
  warnOf,
  factoryOf(spec) {
    const factory = 'contract' in spec ? factoryOf(spec) : undefined
    return (
      factory && { key: factoryKey(factory), ...(factory.fromBlock !== undefined && { fromBlock: factory.fromBlock }) }
    )
  },
  checkSpelling,
  itemShapes,
  resultShapes,
  reads: {
    evm_read: ['source', 'contract', 'method', 'args'],
    token_metadata: ['source', 'contract'],
    price: ['source', 'feed', 'maxAgeMs'],
    other_chain_log: ['source', 'contract', 'event', 'match', 'within', 'before'],
  },
  checkRead,
  isReadingMethod: isEvmReadingMethod,
  checkAddress,
  networkName: ({ chainId }) => (chainId === undefined ? undefined : `eip155:${chainId}`),
  explorerPages: {
    transaction: 'tx',
    address: 'address',
    block: 'block',
    transactionPattern: '^0x[0-9a-f]{64}$',
    addressPattern: '^0x[0-9a-f]{40}$',
  },
  knownNetwork: ({ chainId = '' }) => knownEvmNetworks.get(chainId),
  usualCurrency: { symbol: null, decimals: evmDescription.coinDecimals },
}

async function checkSpec(spec: TriggerSpec, path: string): Promise<Issue[]> {
  if (spec.type === 'evm_log') return checkLog(spec, path)
  return spec.type === 'evm_call' ? checkCall(spec, path) : []
}

/** The event of a factory must say what is indexed too, or its contracts stay unknown. */
async function warnOf(spec: TriggerSpec, path: string): Promise<Warning | undefined> {
  const factory = 'contract' in spec ? factoryOf(spec) : undefined
  const events = factory && {
    type: 'evm_log' as const,
    dataSource: '',
    event: factory.event,
    abiFragment: factory.abiFragment,
  }
  const ofFactory = events && (await warnOfUnmarkedEvent(events, `${path}.contract.factory`))
  return ofFactory ?? warnOfUnmarkedEvent(spec, path)
}

/** Logs are matched by the bytes of the address, so a save accepts any case. A wrong checksum is usually a typing error. */
function checkSpelling(spec: TriggerSpec, path: string): Issue[] {
  const message = 'has a wrong EIP-55 checksum: a digit or the case of a letter is wrong'
  return writtenContracts(spec.type === 'evm_log' || spec.type === 'evm_call' ? spec : {}, path)
    .filter(([address]) => isEvmAddress(address) && hasWrongChecksum(address))
    .map(([, path]) => ({ path, message }))
}

async function checkContracts(spec: WithContract, path: string): Promise<Issue[]> {
  const factory = factoryOf(spec)
  if (factory) return checkFactory(factory, `${path}.contract.factory`)
  return writtenContracts(spec, path)
    .filter(([address]) => !isEvmAddress(address))
    .map(([, path]) => ({ path, message: 'must be 0x and 40 hex digits' }))
}

async function checkLog(spec: Extract<TriggerSpec, { type: 'evm_log' }>, path: string): Promise<Issue[]> {
  const { event, abiFragment, topicsCount, dataBytes } = spec
  const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 0 && value <= most
  return [
    ...(await checkContracts(spec, path)),
    ...(await checkEvent(event, abiFragment !== undefined, `${path}.event`)),
    ...issueUnless(
      topicsCount === undefined || isCount(topicsCount, 4),
      `${path}.topicsCount`,
      'must be a whole number from 0 to 4',
    ),
    ...issueUnless(
      dataBytes === undefined || isCount(dataBytes, 2 ** 31),
      `${path}.dataBytes`,
      'must be a whole number, 0 or more',
    ),
    ...(abiFragment === undefined ? [] : await checkEventAbi(abiFragment, event, path)),
  ]
}

/** Logs contain the hash of the whole signature, so a name alone needs an ABI with the parameters. */
async function checkEvent(event: string | undefined, hasAbi: boolean, path: string): Promise<Issue[]> {
  if (event === undefined) return []
  if (!isNameOrSignature(event, 'event')) return [{ path, message: 'must be the name or the signature of an event' }]
  if (hasAbi) return []
  const message = 'is only a name: give its signature, such as Paid(address,uint256), or an abiFragment that holds it'
  return event.includes('(') ? checkSignature(event, 'event', path) : [{ path, message }]
}

async function checkSignature(signature: string, kind: 'event' | 'function', path: string): Promise<Issue[]> {
  const abi = await readAbi(signature, kind)
  if (abi.ok && abi.items.every(({ type }) => type === kind)) return []
  const reason = abi.ok ? '' : `: ${abi.message.replace('is not an ABI: ', '')}`
  return [{ path, message: `is not the signature of ${kind === 'event' ? 'an event' : 'a function'}${reason}` }]
}

/** `Transfer`, `Transfer(address,address,uint256)` or the human-readable line. */
function isNameOrSignature(text: string, kind: 'event' | 'function'): boolean {
  const bare = text.replace(/^(?:event|function)\s+/, (word) => (word.startsWith(kind) ? '' : word))
  const isForm = /^[A-Za-z_$][\w$]*\s*(?:\([\w\s,()[\]$;]*)?$/.test(bare)
  return isForm && bare.includes('(') === bare.includes(')')
}

async function checkCall(spec: Extract<TriggerSpec, { type: 'evm_call' }>, path: string): Promise<Issue[]> {
  const { method, abiFragment } = spec
  return [
    ...(await checkContracts(spec, path)),
    ...(await checkMethod(method, abiFragment !== undefined, `${path}.method`)),
    ...(abiFragment === undefined ? [] : await checkMethodAbi(abiFragment, method, path)),
  ]
}

/** Calls contain a hash of the whole signature, so a name alone needs an ABI with the parameters. */
async function checkMethod(method: string | undefined, hasAbi: boolean, path: string): Promise<Issue[]> {
  if (method === undefined || isSelector(method)) return []
  if (!isNameOrSignature(method, 'function'))
    return [{ path, message: 'must be the signature of a function, its selector (0x and 8 hex digits) or its name' }]
  if (hasAbi) return []
  const message =
    'is only a name: give its signature, such as pay(address,uint256), its selector, or an abiFragment that holds it'
  return method.includes('(') ? checkSignature(method, 'function', path) : [{ path, message }]
}

function checkAddress(address: string): CheckedAddress {
  if (!isEvmAddress(address)) return { refused: 'An EVM address is 0x and 40 hexadecimal digits.' }
  if (hasWrongChecksum(address))
    return { refused: 'The EIP-55 checksum does not match: a digit or the case of a letter is wrong.' }
  return { normal: address.toLowerCase() }
}

async function checkRead(provider: Provider, path: string): Promise<Issue[]> {
  if (provider.type === 'token_metadata') return checkContract(provider.contract, `${path}.contract`)
  if (provider.type === 'price') return checkContract(provider.feed, `${path}.feed`)
  if (provider.type === 'other_chain_log') return checkOtherChainLog(provider, path)
  if (provider.type !== 'evm_read') return []
  const { contract, abiFragment, method, args = [] } = provider
  return [...checkContract(contract, `${path}.contract`), ...(await checkFunctionAbi(abiFragment, method, args, path))]
}

async function checkOtherChainLog(
  { contract, event, abiFragment, match = {} }: Extract<Provider, { type: 'other_chain_log' }>,
  path: string,
): Promise<Issue[]> {
  const issues = [
    ...checkContract(contract, `${path}.contract`),
    ...(await checkEvent(event, abiFragment !== undefined, `${path}.event`)),
    ...(abiFragment === undefined ? [] : await checkEventAbi(abiFragment, event, path)),
  ]
  return issues.length > 0 ? issues : checkParameters(Object.keys(match), event, abiFragment ?? event, `${path}.match`)
}

/** A parameter that the event does not have would never fit, so every item would look as if its log were missing. */
async function checkParameters(names: string[], event: string, fragment: unknown, path: string): Promise<Issue[]> {
  const abi = await readAbi(fragment, 'event')
  const events = abi.ok ? abi.items.filter((item) => item.type === 'event' && isNamed(item, event)) : []
  const known = new Set(events.flatMap(({ inputs }) => inputs.flatMap(({ name }) => name ?? [])))
  return names
    .filter((name) => !known.has(parsePath(name)[0] ?? ''))
    .map((name) => ({ path: `${path}.${name}`, message: `the event has no parameter "${name}"` }))
}

function checkContract(contract: string, path: string): Issue[] {
  const isContract = isEvmAddress(contract) || holdsPlaceholder(contract)
  return issueUnless(isContract, path, 'must be an address or a placeholder')
}

/** JSON-RPC methods that read an EVM chain and change nothing: no filters, subscriptions, traces or accounts of the node. */
const readingMethods: ReadonlySet<string> = new Set([
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getHeaderByHash',
  'eth_getHeaderByNumber',
  'eth_getLogs',
  'eth_getProof',
  'eth_getRawTransactionByHash',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_maxPriorityFeePerGas',
  'eth_protocolVersion',
  'eth_syncing',
  'net_version',
  'web3_clientVersion',
  'web3_sha3',
])

function isEvmReadingMethod(method: string): boolean {
  return readingMethods.has(method)
}
