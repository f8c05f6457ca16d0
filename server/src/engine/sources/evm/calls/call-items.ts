import type { SourceItem } from '../../../base/source-item.ts'
import type { ChainBlock } from '../../block.ts'
import type { EvmItem } from '../abi/abi-items.ts'
import type { EvmCall, EvmTransaction } from '../contents.ts'
import { decodeError } from './call-error.ts'

export function ownCall(transaction: EvmTransaction): EvmCall {
  const { hash, index, from, to, value, input, receipt } = transaction
  return {
    transactionHash: hash,
    transactionIndex: index,
    index: 0,
    depth: 0,
    type: ownType({ to }),
    from,
    to: calledBy(transaction),
    value,
    input,
    success: hasSucceeded(transaction),
    gasUsed: receipt?.gasUsed ?? null,
    output: null,
  }
}

/** The called contract, or the created one. A receipt names the address of a contract also if its creation failed. */
export function calledBy(transaction: EvmTransaction): string | null {
  const { to, receipt } = transaction
  return to ?? (hasSucceeded(transaction) ? (receipt?.contractAddress ?? null) : null)
}

/** Receipts of the oldest blocks have no status. */
export function hasSucceeded({ status }: Pick<EvmTransaction, 'status'>): boolean {
  return status !== 0
}

export function ownType({ to }: Pick<EvmTransaction, 'to'>): 'call' | 'create' {
  return to === null ? 'create' : 'call'
}

/** `0x` and the selector come before the arguments. */
export const argsFrom = 10

/** The called function; null for a plain transfer and for a contract creation, whose input is code. */
export function methodIdOf({ type, input }: Pick<EvmCall, 'type' | 'input'>): string | null {
  return type !== 'create' && input.length >= argsFrom ? input.slice(0, argsFrom) : null
}

/** What decoding adds to a call. */
export type DecodedCall = { method: string | null; args: unknown[]; params: Record<string, unknown> }
export const undecoded: DecodedCall = { method: null, args: [], params: {} }

const noErrors: ReadonlyMap<string, EvmItem> = new Map()

/** Objects that are spread into the item would cost more than the rest of it. */
export function callItem(
  block: ChainBlock,
  timestamp: number,
  call: EvmCall,
  { method, args, params }: DecodedCall,
  output: string | null,
  errors: ReadonlyMap<string, EvmItem> = noErrors,
): SourceItem {
  const { number, hash } = block
  const { transactionHash, transactionIndex, index, depth, type, from, to, value, input, success, gasUsed } = call
  const error = success || call.output === null ? undefined : decodeError(call.output, errors)
  const item: SourceItem = {
    block: { number, hash, timestamp },
    transactionHash,
    transactionIndex,
    index,
    depth,
    type,
    from,
    to,
    address: to,
    value,
    input,
    methodId: methodIdOf(call),
    success,
    gasUsed,
    method,
    args,
    params,
    output,
  }
  if (error) item.error = error
  return item
}
