import type { Refusal } from './traits.ts'

type Refused = { error: { code: number; message: string } }
type Filter = { blockHash?: string; address?: unknown }

/** Messages with which real endpoints refuse a call; their error codes do not tell them apart. */
const words = {
  address: 'Please specify an address in your request or, to remove restrictions, order a dedicated full node',
  hash: 'blockHash is not supported',
  many: 'query returned more than 10000 results',
  receipts: 'the method is not part of your plan',
}

/** Undefined if the endpoint serves the call. */
export function refusalOf(refusal: Refusal, method: string, params: readonly unknown[]): Refused | undefined {
  if (method === 'eth_getBlockReceipts') return refusal === 'logs-and-block-receipts' ? say(words.receipts) : undefined
  if (method !== 'eth_getLogs') return undefined
  const { blockHash, address } = (params[0] ?? {}) as Filter
  if (refusal === 'logs' || refusal === 'logs-and-block-receipts') return say(words.many)
  if (refusal === 'logs-without-address' && address === undefined) return say(words.address)
  return refusal === 'logs-by-hash' && blockHash !== undefined ? say(words.hash) : undefined
}

function say(message: string): Refused {
  return { error: { code: -32000, message } }
}
