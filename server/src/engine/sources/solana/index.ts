/** Solana: blocks by slot, events and instructions by IDL, accounts. Everything about the chain is in this folder. */
import type { Chain } from '../chain.ts'
import { connect } from './connection.ts'
import { eventMatcher } from './event-matcher.ts'
import { solanaItems } from './raw-items.ts'
import { verify } from './verify.ts'

export const solana: Chain = {
  kind: 'solana',
  async prepare(spec) {
    if (spec.type !== 'solana_event') throw new Error(`a Solana source has no ${spec.type}`)
    return eventMatcher(spec)
  },
  connect,
  verify,
  items: solanaItems,
  pace: { replaceable: 150, skipsNumbers: true, laggingBeyond: 150 },
}
