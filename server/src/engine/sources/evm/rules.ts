import type { Issue, Provider, TriggerSpec } from '@tocsin/contract'
import { issueUnless } from '../../base/issue-unless.ts'
import { holdsPlaceholder } from '../../base/placeholders.ts'
import type { ChainRules } from '../chain-rules.ts'
import { checkEventAbi, checkFunctionAbi } from './abi/check-abi.ts'
import { readAbi } from './abi/read-abi.ts'
import { warnOfUnmarkedEvent } from './abi/unmarked-event.ts'
import { hasWrongChecksum, isEvmAddress } from './address.ts'
import { writtenContracts } from './contracts.ts'
import { isEvmReadingMethod } from './reading-methods.ts'

const blockFields = ['blockNumber', 'blockHash', 'blockTimestamp', 'transactionHash', 'transactionIndex']
const feeFields = ['gasLimit', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas']

export const evmRules: ChainRules = {
  kind: 'evm',
  specs: {
    evm_log: ['address', ...blockFields, 'index', 'data', 'topics', 'event', 'args', 'params'],
    evm_transaction: [
      ...['block', 'index', 'hash', 'type', 'from', 'to', 'nonce', ...feeFields],
      ...['input', 'value', 'methodId', 'status', 'receipt'],
    ],
    evm_block: [
      ...['number', 'hash', 'parentHash', 'timestamp', 'transactionsCount', 'gasLimit', 'gasUsed'],
      ...['baseFeePerGas', 'blobGasUsed', 'excessBlobGas', 'miner'],
    ],
  },
  checkSpec: async (spec, path) => (spec.type === 'evm_log' ? checkLog(spec, path) : []),
  warnOf: warnOfUnmarkedEvent,
  checkSpelling,
  reads: {
    evm_read: ['source', 'contract', 'method', 'args'],
    token_metadata: ['source', 'contract'],
    price: ['source', 'feed', 'maxAgeMs'],
  },
  checkRead,
  isReadingMethod: isEvmReadingMethod,
  isAddress: isEvmAddress,
  networkName: ({ chainId }) => (chainId === undefined ? undefined : `eip155:${chainId}`),
}

/** Logs are matched by the bytes of the address, so a save accepts any case. A wrong checksum is usually a typing error. */
function checkSpelling(spec: TriggerSpec, path: string): Issue[] {
  const message = 'has a wrong EIP-55 checksum: a digit or the case of a letter is wrong'
  return writtenContracts(spec.type === 'evm_log' ? spec : {}, path)
    .filter(([address]) => isEvmAddress(address) && hasWrongChecksum(address))
    .map(([, path]) => ({ path, message }))
}

function checkContracts(spec: Parameters<typeof writtenContracts>[0], path: string): Issue[] {
  return writtenContracts(spec, path)
    .filter(([address]) => !isEvmAddress(address))
    .map(([, path]) => ({ path, message: 'must be 0x and 40 hex digits' }))
}

async function checkLog(spec: Extract<TriggerSpec, { type: 'evm_log' }>, path: string): Promise<Issue[]> {
  const { event, abiFragment, topicsCount, dataBytes } = spec
  const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 0 && value <= most
  return [
    ...checkContracts(spec, path),
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
  if (!isEventName(event)) return [{ path, message: 'must be the name or the signature of an event' }]
  if (hasAbi) return []
  const message = 'is only a name: give its signature, such as Paid(address,uint256), or an abiFragment that holds it'
  return event.includes('(') ? checkSignature(event, path) : [{ path, message }]
}

async function checkSignature(event: string, path: string): Promise<Issue[]> {
  const abi = await readAbi(event, 'event')
  return abi.ok
    ? []
    : [{ path, message: `is not the signature of an event: ${abi.message.replace('is not an ABI: ', '')}` }]
}

/** `Transfer`, `Transfer(address,address,uint256)` or the human-readable line. */
function isEventName(event: string): boolean {
  return /^(?:event\s+)?[A-Za-z_$][\w$]*\s*(?:\([\w\s,()[\]$]*\)[\s\w;]*)?$/.test(event)
}

async function checkRead(provider: Provider, path: string): Promise<Issue[]> {
  if (provider.type === 'token_metadata') return checkContract(provider.contract, `${path}.contract`)
  if (provider.type === 'price') return checkContract(provider.feed, `${path}.feed`)
  if (provider.type !== 'evm_read') return []
  const { contract, abiFragment, method, args = [] } = provider
  return [...checkContract(contract, `${path}.contract`), ...(await checkFunctionAbi(abiFragment, method, args, path))]
}

function checkContract(contract: string, path: string): Issue[] {
  const isContract = isEvmAddress(contract) || holdsPlaceholder(contract)
  return issueUnless(isContract, path, 'must be an address or a placeholder')
}
