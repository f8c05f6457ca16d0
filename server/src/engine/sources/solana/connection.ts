import { base58 } from '@scure/base'
import type { ChainBlock, Connection, ConnectOptions } from '../../world.ts'
import { openRpcPool } from '../rpc-pool/index.ts'
import { readAccount } from './account.ts'
import { getBlock, getHead, getSlotOfTransaction } from './calls.ts'
import { readBlock } from './read-block.ts'

/** A block's number is its slot. Slots without a block are common: their leader did not make one in time. */
export function connect(
  endpoints: readonly string[],
  { door, timeoutMs, responseBytesMax }: ConnectOptions,
): Connection {
  const pool = openRpcPool(endpoints, { door, timeoutMs, responseBytesMax })
  const { request } = pool
  const block = async (slot: number): Promise<ChainBlock | undefined> => {
    const answer = await getBlock(request, slot)
    return answer === undefined ? undefined : readBlock(slot, answer)
  }
  return {
    async head() {
      const { slot, blockhash } = await getHead(request)
      return { number: slot, hash: blockhash }
    },
    block: (number) => block(number),
    async blockOfTransaction(signature) {
      const slot = isSignature(signature) ? await getSlotOfTransaction(request, signature) : undefined
      return slot === undefined ? undefined : block(slot)
    },
    request,
    read: (provider, at) => readAccount(request, provider, at),
    close: () => pool.close(),
  }
}

/** A node refuses what is no signature; no transaction has it, which is all that was asked. */
function isSignature(text: string): boolean {
  if (text.length < 64 || text.length > 88) return false
  try {
    return base58.decode(text).length === 64
  } catch {
    return false
  }
}
