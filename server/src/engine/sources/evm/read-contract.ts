import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef } from '../block.ts'
import { RpcError } from '../rpc-pool/index.ts'
import { type EvmReadProvider, type FunctionCall, functionCall } from './abi/contract-function.ts'
import { isEvmAddress } from './address.ts'
import { requireBytes, toHex } from './blocks/quantities.ts'
import { revertReason } from './revert-reason.ts'
import { isForgotten, type Rpc } from './rpc.ts'

/**
 * Calls a contract function at the item's block. It fails when the node no longer has the state of that block, because
 * today's value would be a wrong answer that looks right. `abiContract` only names the contract of the ABI (for example an
 * implementation behind a proxy); the call goes to `contract`.
 */
export async function readContract(rpc: Rpc, provider: EvmReadProvider, at: BlockRef | undefined): Promise<unknown> {
  if (!isEvmAddress(provider.contract))
    throw new UpstreamError('refused', 'contract must be 0x and 40 hex digits once its placeholders are filled in.')
  const call = await functionCall(provider)
  try {
    const answer = await callAt(rpc, { to: provider.contract, data: call.data }, at)
    return decodeAnswer(call, answer, provider.contract)
  } catch (error) {
    throw explain(error, call, at)
  }
}

/** The call only reads, so an endpoint may get it again. */
const callers = { isCallers: true, mayRepeat: true }

/** By hash, so that a reorg cannot change the block; by number if a node does not accept a hash. */
export async function callAt(rpc: Rpc, transaction: object, at: BlockRef | undefined): Promise<string> {
  const read = (answer: unknown) => requireBytes(answer, 'result of the call')
  if (!at) return rpc.ask('eth_call', [transaction, 'latest'], read, callers)
  try {
    return await rpc.ask('eth_call', [transaction, { blockHash: at.hash }], read, callers)
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== -32602) throw error
    return rpc.ask('eth_call', [transaction, toHex(at.number)], read, callers)
  }
}

function decodeAnswer(call: FunctionCall, data: string, contract: string): unknown {
  if (data === '0x') throw new UpstreamError('bad_answer', `${contract} has no ${call.signature}: it answered nothing.`)
  try {
    return call.decode(data)
  } catch {
    throw new UpstreamError('bad_answer', `${contract} answered ${call.signature} with what its ABI cannot decode.`)
  }
}

function explain(error: unknown, call: FunctionCall, at: BlockRef | undefined): unknown {
  if (!(error instanceof RpcError)) return error
  const reason = revertReason(error, call.errors)
  if (reason !== undefined) return new UpstreamError('failed', `${call.signature} reverted: ${reason}`)
  if (!isForgotten(error)) return error
  return new UpstreamError(
    'failed',
    `No endpoint has the state of block ${at?.number ?? 'latest'}: use an archive endpoint for this source, or a later block. ${error.message}`,
  )
}
