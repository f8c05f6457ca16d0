import { isObject } from '../../base/json.ts'
import { messageWithoutHost, RpcError } from '../rpc-pool/index.ts'
import type { EvmItem } from './abi/abi-items.ts'
import { decoderOf } from './abi/codec.ts'
import { hashSignature } from './abi/keccak.ts'
import { isForgotten } from './rpc.ts'

const text = { type: 'string', indexed: false }
const code = { type: 'uint256', indexed: false }
const solidity = [
  { name: 'Error', signature: 'Error(string)', inputs: [text] },
  { name: 'Panic', signature: 'Panic(uint256)', inputs: [code] },
]

/** The reason of a revert, from Solidity's own errors and those of the ABI; undefined when the call did not revert. */
export function revertReason(error: RpcError, errors: readonly EvmItem[]): string | undefined {
  const data = findData(error.data)
  const isRevert =
    error.code === 3 || /revert|invalid opcode/i.test(messageWithoutHost(error)) || (data ?? '0x') !== '0x'
  if (!isRevert) return undefined
  if (data === undefined || data === '0x')
    return /reverted: (.+)/is.exec(messageWithoutHost(error))?.[1] ?? 'it gave no reason.'
  const known = [...solidity, ...errors].find(({ signature }) => hashSignature(signature).startsWith(data.slice(0, 10)))
  return known ? describe(known, data) : `error ${data.slice(0, 10)}, which abiFragment does not hold.`
}

/** How clients name errors of the virtual machine. Those of revm are in one word after "EVM error". */
const vmErrors = /invalid opcode|invalid jump|out of gas|stack (?:under|over)flow|\bEVM error\b/i

/** True if the contract itself failed, usually because it has no such function. The node has answered. */
export function hasReverted(error: unknown): boolean {
  if (!(error instanceof RpcError) || isForgotten(error)) return false
  return revertReason(error, []) !== undefined || vmErrors.test(error.message)
}

/** Plain bytes in geth; inside some objects in Hardhat, Nethermind and others. */
const wrappersMax = 4

/** The data that a reverted call returned, as the node reports it. */
export function findData(data: unknown): string | undefined {
  let found = data
  for (let level = 0; level < wrappersMax && isObject(found); level++) found = found.data
  return typeof found === 'string' ? /0x[0-9a-f]*/i.exec(found)?.[0].toLowerCase() : undefined
}

function describe(error: Pick<EvmItem, 'name' | 'inputs' | 'signature'>, data: string): string {
  try {
    const values = error.inputs.length > 0 ? decoderOf(error.inputs)(`0x${data.slice(10)}`) : []
    if (error.signature === 'Error(string)') return String(values[0]).slice(0, 500)
    return `${error.name}(${values.map((value) => JSON.stringify(value)).join(', ')})`.slice(0, 500)
  } catch {
    return `error ${error.signature} with other arguments than it takes.`
  }
}
