import type { HeadSubscription } from '../rpc-pool/index.ts'
import { readField, requireNumber } from './calls.ts'

/** The slots that a node starts to process. Their blocks are confirmed about a second later. */
export const newSlots: HeadSubscription = {
  method: 'slotSubscribe',
  params: [],
  unsubscribe: 'slotUnsubscribe',
  read: (notice) => ({ number: requireNumber(readField(notice, 'slot'), 'slotSubscribe') }),
}
