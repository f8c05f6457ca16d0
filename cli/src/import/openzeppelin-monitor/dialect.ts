import type { Dialect, MatchedItem } from '../evm/triggers.ts'
import { surroundingVariables, transactionVariables } from '../evm/variables.ts'

/** The output has the form that the messages of a monitor read. */
export function dialectOf(monitor: string, needsTransaction: boolean): Dialect {
  const name = `monitor: { name: ${JSON.stringify(monitor)} }`
  const fields = needsTransaction
    ? ', from: providers.transaction.from, to: providers.transaction.to, value: BigInt(providers.transaction.value)'
    : ''
  const raw = (item: MatchedItem): string => {
    if (item.kind === 'transaction')
      return `({ ${name}, transactionHash: source.hash, transaction: source, events: [], functions: [] })`
    const own = `[{ signature: ${item.signature}, args: source.params }]`
    const lists = item.kind === 'event' ? `events: ${own}, functions: []` : `events: [], functions: ${own}`
    return `({ ${name}, transactionHash: source.transactionHash, transaction: { hash: source.transactionHash${fields} }, ${lists} })`
  }
  return { transaction: transactionVariables, surrounding: surroundingVariables, raw }
}
