import { UpstreamError } from '../../world.ts'
import { RpcError } from '../rpc-pool/index.ts'

export type Request = (method: string, params?: unknown) => Promise<unknown>

/** Two thirds of the stake voted for it; it comes within a second and has not been taken back on mainnet so far. */
export const commitment = 'confirmed'

/** Skipped (-32007, -32009), or not there yet (-32004, -32014). What a node has thrown away is a failure, not a gap. */
const noBlockCodes = new Set([-32004, -32007, -32009, -32014])

/** The answer of `getBlock`, undefined when there is none for the slot. */
export async function getBlock(request: Request, slot: number): Promise<unknown> {
  const options = { commitment, encoding: 'json', transactionDetails: 'full', rewards: false }
  try {
    const answer = await request('getBlock', [slot, { ...options, maxSupportedTransactionVersion: 0 }])
    return answer ?? undefined
  } catch (error) {
    if (error instanceof RpcError && noBlockCodes.has(error.code)) return undefined
    throw error
  }
}

/** The slot that holds a transaction, undefined when the network knows no such transaction. */
export async function getSlotOfTransaction(request: Request, signature: string): Promise<number | undefined> {
  const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: 0 }
  const answer = await request('getTransaction', [signature, options])
  if (answer === null) return undefined
  return requireNumber(readField(answer, 'slot'), 'getTransaction')
}

export async function getHead(request: Request): Promise<{ slot: number; blockhash: string }> {
  const answer = await request('getLatestBlockhash', [{ commitment }])
  const blockhash = readField(readField(answer, 'value'), 'blockhash')
  if (typeof blockhash !== 'string') throw unreadable('getLatestBlockhash')
  return { slot: requireNumber(readField(readField(answer, 'context'), 'slot'), 'getLatestBlockhash'), blockhash }
}

export function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

export function requireNumber(value: unknown, method: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw unreadable(method)
}

export function unreadable(method: string): UpstreamError {
  return new UpstreamError('bad_answer', `The node's answer to ${method} is not what Solana nodes answer.`)
}
