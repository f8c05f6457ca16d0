import type { HeadSubscription } from '../rpc-pool/index.ts'
import { readHeader } from './answers.ts'

/** The best blocks' headers that nodes push; they hold everything but their own hash. */
export const newHeads: HeadSubscription = {
  method: 'chain_subscribeNewHeads',
  params: [],
  unsubscribe: 'chain_unsubscribeNewHeads',
  read(notice) {
    const { number, parentHash } = readHeader(notice)
    return { number, parentHash }
  },
}
