/** Substrate chains: events decoded by the runtime's own metadata, reads of storage at a block, verification of nodes. */

import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { Chain } from '../chain.ts'
import { connect } from './connection.ts'
import { eventMatcher } from './event-matcher.ts'
import { fetchFinalized } from './finalized.ts'
import { substrateItems } from './raw-items.ts'
import { verify } from './verify.ts'

export { SubstrateContents, type SubstrateEvent } from './contents.ts'
export { eventMatcher } from './event-matcher.ts'
export { foldName } from './names.ts'

export const substrate: Chain = {
  kind: 'substrate',
  async prepare(spec) {
    if (spec.type === 'substrate_event') return eventMatcher(spec)
    throw new UpstreamError('refused', `A Substrate source has no items of ${spec.type}.`)
  },
  connect,
  verify,
  items: substrateItems,
  pace: { replaceable: 256, finalized: fetchFinalized, skipsNumbers: false, laggingBeyond: 20 },
}
