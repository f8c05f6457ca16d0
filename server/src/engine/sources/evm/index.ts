/** EVM chains: checked blocks; logs, transactions, calls and blocks as items; reads of contracts, verification of nodes. */

import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockPart, Factory, Matcher } from '../block.ts'
import { blockMatcher } from '../block-items.ts'
import type { Chain } from '../chain.ts'
import { learningMatcher } from '../factory.ts'
import { evmBlocks } from './block-kind.ts'
import { callMatcher } from './calls/call-matcher.ts'
import { connect } from './connection.ts'
import { openFactory } from './factory.ts'
import { fetchLevel } from './levels.ts'
import { logMatcher } from './log-matcher.ts'
import { evmItems } from './raw-items.ts'
import { transactionMatcher } from './transaction-matcher.ts'
import { verify } from './verify.ts'

export { EvmContents, type EvmLog, type EvmTransaction } from './contents.ts'
export type { LogDecoder } from './log-decoder.ts'
export { type LogMatcher, logMatcher } from './log-matcher.ts'

/** Only the contracts of the factory count, if there is one. */
function withFactory(matcher: Matcher, factory: Factory | undefined, parts: readonly BlockPart[] = []): Matcher {
  if (!factory) return matcher
  const neededParts = [...(matcher.neededParts ?? []), ...parts]
  return learningMatcher({ ...matcher, neededParts }, factory)
}

export const evm: Chain = {
  kind: 'evm',
  async prepare(spec) {
    if (spec.type === 'evm_log') return withFactory(await logMatcher(spec), await openFactory(spec))
    if (spec.type === 'evm_transaction') return transactionMatcher
    if (spec.type === 'evm_call') return withFactory(await callMatcher(spec), await openFactory(spec), ['logs'])
    if (spec.type === 'evm_block') return blockMatcher(evmBlocks, spec.every)
    throw new UpstreamError('refused', `An EVM source has no items of ${spec.type}.`)
  },
  connect,
  verify,
  items: evmItems,
  pace: { replaceable: 64, level: fetchLevel, skipsNumbers: false, laggingBeyond: 20 },
}
