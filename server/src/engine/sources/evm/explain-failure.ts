import type { SourceItem } from '../../base/source-item.ts'
import { itemBlock } from '../../base/source-item.ts'
import { messageWithoutHost, RpcError } from '../rpc-pool/index.ts'
import { toHex } from './blocks/quantities.ts'
import { type CallError, decodeError, errorsOf } from './calls/call-error.ts'
import { findData } from './revert-reason.ts'
import type { Rpc } from './rpc.ts'

/**
 * Why the own call of a transaction failed. A receipt does not tell it, so the call is repeated on the state before its block.
 * Undefined if the call does not fail there: what the block changed before it made it fail.
 */
export async function explainFailure(rpc: Rpc, item: SourceItem, fragment: unknown): Promise<CallError | undefined> {
  const { from, to, value, input } = item
  const number = itemBlock(item)?.number
  if (typeof number !== 'number' || number === 0 || typeof to !== 'string') return undefined
  const call = { from, to, value: `0x${BigInt(String(value)).toString(16)}`, data: input }
  try {
    await rpc.ask('eth_call', [call, toHex(number - 1)], (answer) => answer)
    return undefined
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const data = findData(error.data)
    if (data !== undefined && data !== '0x') return decodeError(data, await errorsOf(fragment))
    const reason = /reverted:? (.+)/is.exec(messageWithoutHost(error))?.[1]
    return reason === undefined ? undefined : { reason: reason.slice(0, 500) }
  }
}
