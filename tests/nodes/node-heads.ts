import type { Call } from './faulty-endpoint.ts'

/** Calls the real node. */
export type AskNode = (method: string, params: unknown[]) => Promise<unknown>
type Json = Record<string, unknown>

/** How calls to EVM, Substrate and Solana nodes express heads and blocks. */

/** The number of the head in a reply; undefined for other calls. */
export async function toldHead(call: Call, result: unknown, ask: AskNode): Promise<number | undefined> {
  const { method, params } = call
  if (method === 'eth_blockNumber' || method === 'getSlot') return Number(result)
  if (method === 'eth_getBlockByNumber' && params[0] === 'latest') return numberIn(result)
  if (method === 'chain_getHeader' && params.length === 0) return numberIn(result)
  if (method === 'chain_getBlockHash' && params.length === 0) return numberIn(await ask('chain_getHeader', [result]))
  if (method === 'getLatestBlockhash') return Number((result as { context: { slot: number } }).context.slot)
  return undefined
}

/** The number in an announcement: a header, or a slot. */
export function numberIn(header: unknown): number | undefined {
  const { number, slot } = (header ?? {}) as Json
  return number === undefined && slot === undefined ? undefined : Number(number ?? slot)
}

/** The number of the block that a call reads; undefined for other calls. */
export async function readNumber({ method, params }: Call, result: unknown, ask: AskNode): Promise<number | undefined> {
  const [which] = params
  if (method === 'getBlock') return Number(which)
  if (method === 'chain_getBlockHash') return which === undefined ? undefined : Number(which)
  if (method === 'chain_getHeader') return which === undefined ? undefined : numberIn(result)
  if (method === 'eth_getBlockByNumber') return which === 'latest' ? undefined : Number(which)
  if (method === 'eth_getBlockByHash') return numberIn(result)
  const hash = method === 'eth_getLogs' ? (which as Json).blockHash : which
  if (method !== 'eth_getLogs' && method !== 'eth_getBlockReceipts') return undefined
  if (typeof hash !== 'string') return undefined
  return hash.length < 66 ? Number(hash) : numberIn(await ask('eth_getBlockByHash', [hash, false]))
}

/** The reply to a call for the head, changed to this number. */
export async function headAt({ method, params }: Call, number: number, ask: AskNode): Promise<unknown> {
  const hex = `0x${number.toString(16)}`
  if (method === 'eth_blockNumber') return hex
  if (method === 'eth_getBlockByNumber') return ask(method, [hex, params[1]])
  if (method === 'chain_getBlockHash') return ask(method, [number])
  if (method === 'chain_getHeader') return ask(method, [await ask('chain_getBlockHash', [number])])
  if (method === 'getSlot') return number
  const block = (await ask('getBlock', [number, { maxSupportedTransactionVersion: 0 }])) as { blockhash: string }
  return { context: { slot: number }, value: { blockhash: block.blockhash, lastValidBlockHeight: number } }
}

/** The reply of a node that does not have a block. */
export function absent({ method }: Call): { result: null } | { error: object } {
  if (method === 'getBlock') return { error: { code: -32004, message: 'Block not available for slot' } }
  if (method === 'eth_getLogs') return { error: { code: -32000, message: 'unknown block' } }
  return { result: null }
}
