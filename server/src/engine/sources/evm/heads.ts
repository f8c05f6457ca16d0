import type { HeadSubscription } from '../rpc-pool/index.ts'
import { requireBytes, requireNumber, requireRecord } from './blocks/quantities.ts'

/** The headers that nodes push. Some chains leave fields out of them, so no more is read than is needed. */
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
