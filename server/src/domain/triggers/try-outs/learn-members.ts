import type { Matcher } from '../../../engine/sources/block.ts'
import type { Connection } from '../../../engine/sources/connection.ts'
import { isLearning } from '../../../engine/sources/factory.ts'
import type { Store } from '../../../store/index.ts'
import { walkBlocks } from '../backtest/walk-blocks.ts'

/** A try-out reads at most this many earlier blocks for the contracts of a factory; without `fromBlock` fewer. */
const [earlierMax, earlierDefault] = [1_000, 100]

/** Reads the blocks before this one for contracts that a factory created. A matcher without a factory needs none. */
export async function learnMembers(
  connection: Connection,
  matcher: Matcher,
  before: number,
  blocks: number = earlierDefault,
): Promise<void> {
  if (!isLearning(matcher)) return
  const { contract, fromBlock } = matcher.factory
  const from = fromBlock === undefined ? before - blocks : Math.max(fromBlock, before - earlierMax)
  const range = { from: Math.max(0, from), to: before - 1 }
  const never = new AbortController().signal
  for await (const walked of walkBlocks(connection, range, ['logs'], never, [contract]))
    for (const block of walked.blocks) matcher.learn(block)
}

/** The contracts that a saved trigger has learned. */
export async function addSavedMembers(
  store: Store,
  matcher: Matcher,
  triggerId: string | undefined,
  source: string,
): Promise<void> {
  if (!isLearning(matcher) || triggerId === undefined) return
  matcher.addMembers(await store.factories.listMembers({ triggerId, source, factory: matcher.factory.key }))
}
