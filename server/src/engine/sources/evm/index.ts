/** EVM chains: checked blocks; logs, transactions, calls and blocks as items; reads of contracts, verification of nodes. */

import { UpstreamError } from '../../outbound/upstream-error.ts'
import { blockMatcher } from '../block-items.ts'
import type { Chain } from '../chain.ts'
import { evmBlocks } from './block-kind.ts'
import { callMatcher } from './calls/call-matcher.ts'
import { connect } from './connection.ts'
import { fetchLevel } from './levels.ts'
import { logMatcher } from './log-matcher.ts'
import { evmItems } from './raw-items.ts'
import { transactionMatcher } from './transaction-matcher.ts'
import { verify } from './verify.ts'

export { EvmContents, type EvmLog, type EvmTransaction } from './contents.ts'
export type { LogDecoder } from './log-decoder.ts'
export { type LogMatcher, logMatcher } from './log-matcher.ts'

export const evm: Chain = {
  kind: 'evm',
  async prepare(spec) {
    if (spec.type === 'evm_log') return logMatcher(spec)
    if (spec.type === 'evm_transaction') return transactionMatcher
    if (spec.type === 'evm_call') return callMatcher(spec)
    if (spec.type === 'evm_block') return blockMatcher(evmBlocks, spec.every)
    throw new UpstreamError('refused', `An EVM source has no items of ${spec.type}.`)
  },
  connect,
  verify,
  items: evmItems,
  pace: { replaceable: 64, level: fetchLevel, skipsNumbers: false, laggingBeyond: 20 },
}
