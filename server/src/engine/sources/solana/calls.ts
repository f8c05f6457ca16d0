import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef, ChainBlock } from '../block.ts'
import { type OneEndpoint, RpcError, type RpcPool } from '../rpc-pool/index.ts'
import { requireContents } from './contents.ts'
import { decodeLongData } from './instruction-data.ts'
import { readBlock } from './read-block.ts'
import type { Versions } from './versions.ts'

export type Ask = RpcPool['ask']
export type Rpc = Pick<RpcPool, 'ask' | 'atOne'>

/** Two thirds of the stake voted for the block. This takes about a second, and mainnet has not reverted such a block so far. */
export const commitment = 'confirmed'

/** Skipped (-32007, -32009) or not available yet (-32004, -32014). A block that the node has deleted is an error, not a gap. */
const noBlockCodes = new Set([-32004, -32007, -32009, -32014])

/** Undefined when the slot has no block: it was skipped or is ahead of the head. */
export async function getBlock(rpc: Rpc, versions: Versions, slot: number): Promise<ChainBlock | undefined> {
  try {
    const block = await rpc.atOne((at) => requestBlock(at, versions, slot))
    if (block) return block
    if ((await getHead(rpc.ask)).slot < slot) return undefined
    return await rpc.atOne(async (at) => requirePresent(slot, await requestBlock(at, versions, slot)))
  } catch (error) {
    if (error instanceof RpcError && noBlockCodes.has(error.code)) return undefined
    throw error
  }
}

async function requestBlock(at: OneEndpoint, versions: Versions, slot: number): Promise<ChainBlock | undefined> {
  const options = { commitment, encoding: 'json', transactionDetails: 'full', rewards: false }
  const answer = await versions.request(at, 'getBlock', [slot, options])
  if (answer === null) return undefined
  const { block, unreadable } = readBlock(slot, answer)
  versions.reportUnreadable(at, slot, unreadable)
  await decodeLongData(requireContents(block).transactions)
  return block
}

/** A skipped slot has its own error, so null for a slot behind the head is not a valid answer. */
function requirePresent(slot: number, block: ChainBlock | undefined): ChainBlock {
  if (block) return block
  throw new UpstreamError(
    'bad_answer',
    `The node does not return the block of slot ${slot}, although its head is later.`,
  )
}

/** The header of the first block from this slot on, without its transactions. A skipped slot costs two calls more. */
export async function getHeaderFrom(ask: Ask, slot: number): Promise<BlockRef | undefined> {
  const header = await getHeader(ask, slot)
  if (header) return header
  const next = await ask('getBlocksWithLimit', [slot, 1, { commitment }], readFirstSlot)
  return next === undefined ? undefined : getHeader(ask, next)
}

async function getHeader(ask: Ask, slot: number): Promise<BlockRef | undefined> {
  const options = { commitment, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 }
  try {
    return await ask('getBlock', [slot, options], (answer) => readHeader(slot, answer))
  } catch (error) {
    if (error instanceof RpcError && noBlockCodes.has(error.code)) return undefined
    throw error
  }
}

function readHeader(slot: number, answer: unknown): BlockRef | undefined {
  if (answer === null) return undefined
  const [hash, time] = [readField(answer, 'blockhash'), readField(answer, 'blockTime')]
  if (typeof hash !== 'string') throw unreadable('getBlock')
  return { number: slot, hash, ...(typeof time === 'number' && { timestampMs: time * 1000 }) }
}

function readFirstSlot(answer: unknown): number | undefined {
  if (!Array.isArray(answer)) throw unreadable('getBlocksWithLimit')
  return answer.length === 0 ? undefined : requireNumber(answer[0], 'getBlocksWithLimit')
}

/** The slot of a transaction; undefined when the network does not know the transaction. */
export function getSlotOfTransaction(rpc: Rpc, versions: Versions, signature: string): Promise<number | undefined> {
  return rpc.atOne(async (at) => {
    const answer = await versions.request(at, 'getTransaction', [signature, { commitment, encoding: 'json' }])
    return answer === null ? undefined : requireNumber(readField(answer, 'slot'), 'getTransaction')
  })
}

export function getHead(ask: Ask): Promise<{ slot: number; blockhash: string }> {
  return ask('getLatestBlockhash', [{ commitment }], readHead)
}

function readHead(answer: unknown): { slot: number; blockhash: string } {
  const blockhash = readField(readField(answer, 'value'), 'blockhash')
  if (typeof blockhash !== 'string') throw unreadable('getLatestBlockhash')
  return { slot: requireNumber(readField(readField(answer, 'context'), 'slot'), 'getLatestBlockhash'), blockhash }
}

export function readGenesisHash(answer: unknown): string {
  if (typeof answer === 'string') return answer
  throw unreadable('getGenesisHash')
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
