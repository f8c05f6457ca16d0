import type { HeadSubscription } from '../rpc-pool/index.ts'
import { requireBytes, requireNumber, requireRecord } from './blocks/quantities.ts'

/** The headers that nodes push. Some chains omit fields, so this reads only what is needed. */
export const newHeads: HeadSubscription = {
  method: 'eth_subscribe',
  params: ['newHeads'],
  unsubscribe: 'eth_unsubscribe',
  read(notice) {
    const { number, hash, parentHash } = requireRecord(notice, 'head')
    return {
      number: requireNumber(number, 'number of the head'),
      hash: requireBytes(hash, 'hash of the head', 32),
      parentHash: requireBytes(parentHash, 'parentHash of the head', 32),
    }
  },
}
