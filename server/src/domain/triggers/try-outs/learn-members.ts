import type { Matcher } from '../../../engine/sources/block.ts'
import type { Connection } from '../../../engine/sources/connection.ts'
import { isLearning } from '../../../engine/sources/factory.ts'
import type { Store } from '../../../store/index.ts'

/** A try-out reads at most this many ranges, the newest first; with most nodes they reach millions of blocks back. */
const rangesMax = 20

/** Reads the blocks before this one for contracts that a factory created. A matcher without a factory needs none. */
export async function learnMembers(connection: Connection, matcher: Matcher, before: number): Promise<void> {
  if (!isLearning(matcher) || !connection.factoryBlocks) return
  const range = { from: matcher.factory.fromBlock ?? 0, to: before - 1, isNewestFirst: true }
  let ranges = 0
  for await (const { blocks } of connection.factoryBlocks(matcher.factory, range)) {
    for (const block of blocks) matcher.learn(block)
    ranges += 1
    if (ranges === rangesMax) return
  }
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
