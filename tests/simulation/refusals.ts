import type { Refusal } from './traits.ts'

type Refused = { error: { code: number; message: string } }
type Filter = { blockHash?: string; address?: unknown }

/** The words in which real endpoints refuse; none of them has a code of its own. */
const words = {
  address: 'Please specify an address in your request or, to remove restrictions, order a dedicated full node',
  hash: 'blockHash is not supported',
  many: 'query returned more than 10000 results',
  receipts: 'the method is not part of your plan',
}

/** Undefined when the endpoint serves the call. */
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
