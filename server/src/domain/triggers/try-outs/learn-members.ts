import type { Connection } from '../../../engine/sources/connection.ts'
import type { OneTrigger } from '../../../engine/sources/one-trigger.ts'
import type { Store } from '../../../store/index.ts'

/** A try-out reads at most this many ranges, the newest first; with most nodes they reach millions of blocks back. */
const rangesMax = 20

/** Reads the blocks before this one for contracts that a factory created. A trigger without a factory needs none. */
export async function learnMembers(connection: Connection, trigger: OneTrigger, before: number): Promise<void> {
  const { factory } = trigger.items
  if (!factory || !connection.logBlocks) return
  const range = { from: factory.fromBlock ?? 0, to: before - 1, isNewestFirst: true }
  let ranges = 0
  for await (const { blocks } of connection.logBlocks(factory.logs, range)) {
    for (const block of blocks) trigger.learn(block)
    ranges += 1
    if (ranges === rangesMax) return
  }
}

/** The contracts that a saved trigger has learned. */
export async function addSavedMembers(
  store: Store,
  trigger: OneTrigger,
  triggerId: string | undefined,
  source: string,
): Promise<void> {
  const { factory } = trigger.items
  if (!factory || triggerId === undefined) return
  trigger.addMembers(await store.factories.listMembers({ triggerId, source, factory: factory.key }))
}
