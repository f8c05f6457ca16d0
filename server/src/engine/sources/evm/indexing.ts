import { type ChainIndexing, type Indexing, itemIndex, makeItemKey, shapeless } from '../../match/index.ts'
import { makeLogFieldKey } from './log-fields.ts'
import type { EvmLogKeys, EvmTransactionKeys, RawLog, RawTransaction } from './match-keys.ts'

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

export const evmIndexing: ChainIndexing = { evm_log: itemIndex(logs), evm_transaction: itemIndex(transactions) }
