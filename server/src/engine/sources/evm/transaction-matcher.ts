import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock, Matcher } from '../block.ts'
import { type EvmTransaction, requireTransactions } from './contents.ts'

/** Every transaction is an item. Triggers select transactions by conditions. */
export const transactionMatcher: Matcher = {
  neededParts: ['transactions'],
  match(block) {
    const { timestamp, transactions } = requireTransactions(block)
    return transactions.map((transaction) => transactionItem(block, timestamp, transaction))
  },
}

function transactionItem(block: ChainBlock, timestamp: number, transaction: EvmTransaction): SourceItem {
  const { number, hash } = block
  return { block: { number, hash, timestamp }, ...transaction, methodId: methodIdOf(transaction) }
}

/** The called function; null for a plain transfer and for a contract creation, whose input is code. */
function methodIdOf({ input, to }: EvmTransaction): string | null {
  return to !== null && input.length >= 10 ? input.slice(0, 10) : null
}
