import type { Condition } from '@tocsin/contract'
import type { AbiItem } from '../evm/signatures.ts'
import { argumentVariables, type Variable, type Variables } from '../evm/variables.ts'
import type { Target } from './targets.ts'

/** What a trigger matches, the values that expressions name, and the message, as JavaScript. */
export type Item = { spec: Record<string, unknown>; conditions: Condition[]; variables: Variables; message: string }

type Place = { address: string; block: string; hash: string; logIndex: string; index: string }

/** An event of a contract. Several events may share the name. */
export function logItem(fragments: readonly AbiItem[], target: Target, conditions: Condition[]): Item {
  const place = { address: 'source.address', hash: 'source.transactionHash', index: 'source.transactionIndex' }
  const info = informationOf(target, {
    ...place,
    block: 'block_hash: source.blockHash, block_number: source.blockNumber',
    logIndex: 'String(source.index)',
  })
  const { contract } = target
  return {
    spec: { type: 'evm_log', ...(contract !== undefined && { contract }), abiFragment: fragments },
    conditions,
    variables: new Map([...argumentVariables(fragments[0] ?? {}), information(info)]),
    message: messageOf(target, 'source.topics[0]', 'source.blockNumber', `...source.params, ${info}`),
  }
}

const blockOfCall = 'block_hash: source.block.hash, block_number: source.block.number'
/** The hash of NativeTransfer(address,address,uint256), which rindexer invents for transfers of the native coin. */
const nativeTransferHash = '0xce8688f853ffa65c042b72302433c25d7a230c322caba0901587534b6551091d'

/** A transfer of the native coin: a transaction, or with traces a call at any depth, with a value and without input. */
export function transferItem(target: Target, isTraced: boolean): Item {
  const info = informationOf(target, {
    address: `'0x${'0'.repeat(40)}'`,
    block: blockOfCall,
    hash: isTraced ? 'source.transactionHash' : 'source.hash',
    logIndex: "'0'",
    index: isTraced ? 'source.transactionIndex' : 'source.index',
  })
  const data = `from: source.from, to: source.to, value: String(source.value), ${info}`
  return {
    spec: isTraced ? { type: 'evm_call', internal: true, success: 'any' } : { type: 'evm_transaction' },
    conditions: [
      { param: 'source.value', op: 'gt', value: '0' },
      { param: 'source.input', op: 'eq', value: '0x' },
      isTraced ? { param: 'source.type', op: 'eq', value: 'call' } : { param: 'source.to', op: 'ne', value: null },
    ],
    variables: new Map([
      ['from', plain('address', 'source.from')],
      ['to', plain('address', 'source.to')],
      ['value', plain('uint256', 'source.value')],
      information(info),
    ]),
    message: messageOf(target, JSON.stringify(nativeTransferHash), 'source.block.number', data),
  }
}

function plain(kind: string, path: string): Variable {
  return { kind, script: path, path }
}

/** Expressions name it by `transaction_information.network` and the like. */
function information(info: string): [string, Variable] {
  return ['transaction_information', { kind: 'tuple', script: `({ ${info} }).transaction_information` }]
}

function informationOf({ network, chainId }: Target, place: Place): string {
  const about = `chain_id: ${chainId}, network: ${JSON.stringify(network)}, address: ${place.address}`
  return `transaction_information: { ${about}, ${place.block}, transaction_hash: ${place.hash}, log_index: ${place.logIndex}, transaction_index: ${place.index} }`
}

function messageOf({ network }: Target, hash: string, block: string, data: string): string {
  return `event_signature_hash: ${hash}, network: ${JSON.stringify(network)}, block_number: ${block}, event_data: { ${data} }`
}
