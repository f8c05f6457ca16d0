import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock, Matcher } from '../block.ts'
import { methodIdOf, ownType } from './calls/call-items.ts'
import { type EvmTransaction, requireTransactions } from './contents.ts'

/** Every transaction is an item. Triggers select transactions by conditions. */
export const transactionMatcher: Matcher = {
  neededParts: ['transactions'],
  match(block) {
    const { timestamp, transactions } = requireTransactions(block)
    return transactions.map((transaction) => transactionItem(block, timestamp, transaction))
  },
}

export function transactionItem(block: ChainBlock, timestamp: number, transaction: EvmTransaction): SourceItem {
  const { number, hash } = block
  return {
    block: { number, hash, timestamp },
    ...transaction,
    methodId: methodIdOf({ type: ownType(transaction), input: transaction.input }),
  }
}
