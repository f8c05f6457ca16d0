import { type ChainIndexing, type Indexing, itemIndex, makeItemKey, shapeless } from '../../match/index.ts'
import { blockIndex } from '../block-items.ts'
import { makeCallFieldKey } from './calls/call-fields.ts'
import { makeLogFieldKey } from './log-fields.ts'
import type { EvmCallKeys, EvmLogKeys, EvmTransactionKeys, RawCall, RawLog, RawTransaction } from './match-keys.ts'

/** The number of topics and of data bytes in one number, each with room for a wildcard. No log has five topics. */
function logShape(topicsCount = -1, dataBytes = -1): number {
  return (dataBytes + 1) * 8 + topicsCount + 1
}

const logs: Indexing<EvmLogKeys, RawLog> = {
  keyPartsOf: ({ topic0, addresses, topicsCount, dataBytes }) => ({
    first: topic0?.toLowerCase(),
    second: addresses,
    shape: logShape(topicsCount, dataBytes),
  }),
  firstOf: ({ topics }) => topics[0],
  secondOf: ({ address }) => address,
  hasShape({ topics, data }, shape) {
    const topicsCount = shape % 8
    if (topicsCount > 0 && topics.length !== topicsCount - 1) return false
    return shape < 8 || data.length - 2 === 2 * (Math.floor(shape / 8) - 1)
  },
  shapesOf({ topics, data }) {
    const dataBytes = (data.length - 2) / 2
    return [logShape(), logShape(topics.length), logShape(undefined, dataBytes), logShape(topics.length, dataBytes)]
  },
  toFieldKey: makeLogFieldKey,
}

const transactionFields = new Set(['from', 'to', 'methodId', 'hash', 'value', 'nonce', 'type', 'status'])

const transactions: Indexing<EvmTransactionKeys, RawTransaction> = {
  ...shapeless,
  keyPartsOf: () => ({ shape: 0 }),
  firstOf: () => undefined,
  secondOf: () => undefined,
  toFieldKey: (requirement, _, fields) =>
    transactionFields.has(requirement.path) ? makeItemKey(fields, requirement, '', ({ item }) => item) : undefined,
}

type Internal = EvmCallKeys['internal']
/** By position: the part of a shape that tells which depths an entry accepts. */
const depths: readonly Internal[] = [false, true, 'auto']

/** Which calls an entry accepts, as a number: by their success, and by their depth. */
function callShape(success: boolean | 'any', internal: Internal): number {
  return 3 * depths.indexOf(internal) + (success === 'any' ? 0 : success ? 1 : 2)
}

function hasDepth({ depth, isTraced }: RawCall, internal: Internal | undefined): boolean {
  if (internal === 'auto') return true
  return internal ? isTraced : depth === 0
}

const calls: Indexing<EvmCallKeys, RawCall> = {
  keyPartsOf: ({ selector, addresses, success, internal }) => ({
    first: selector,
    second: addresses,
    shape: callShape(success, internal),
  }),
  firstOf: ({ selector }) => selector ?? undefined,
  secondOf: ({ address }) => address ?? undefined,
  hasShape: (call, shape) =>
    hasDepth(call, depths[Math.floor(shape / 3)]) && (shape % 3 === 0 || (shape % 3 === 1) === call.success),
  shapesOf: (call) =>
    depths
      .filter((internal) => hasDepth(call, internal))
      .flatMap((internal) => [callShape('any', internal), callShape(call.success, internal)]),
  toFieldKey: makeCallFieldKey,
}

export const evmIndexing: ChainIndexing = {
  evm_log: itemIndex(logs),
  evm_transaction: itemIndex(transactions),
  evm_call: itemIndex(calls),
  evm_block: blockIndex,
}
