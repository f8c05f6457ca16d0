import type { HeadSubscription } from '../rpc-pool/index.ts'
import { readHeader } from './answers.ts'

/** The headers of best blocks that nodes push. They contain everything but their own hash. */
export const newHeads: HeadSubscription = {
  method: 'chain_subscribeNewHeads',
  params: [],
  unsubscribe: 'chain_unsubscribeNewHeads',
  read(notice) {
    const { number, parentHash } = readHeader(notice)
    return { number, parentHash }
  },
}
