import { takeBack } from '../../engine/providers/state-window/index.ts'
import type { Checkpoint, Held } from '../../store/following/followers.ts'
import { requireLease } from '../../store/following/lease.ts'
import type { BlockLink, KeptBlock } from '../../store/following/source-blocks.ts'
import type { Store } from '../../store/index.ts'

export type UndoCommit = {
  held: Held
  blocks: readonly BlockLink[]
  /** Where to go on; it is put on the list of applied blocks if it is not there yet. */
  to: BlockLink
  checkpoint: Omit<Checkpoint, 'number' | 'hash'>
  at: Date
}

/**
 * Blocks that the chain replaced, with all that came of them, and the checkpoint: one commit. Whoever makes alerts of a
 * block holds its row meanwhile, so an alert is either taken back here or never made.
 */
export async function commitUndo(store: Store, { held, blocks, to, checkpoint, at }: UndoCommit): Promise<number> {
  await requireLease(store, held)
  const undone = await store.sourceBlocks.undo(
    held.source,
    blocks.map(({ hash }) => hash),
    at,
  )
  await takeBackWindows(store, held.source, undone, at)
  let retracted = 0
  for (const block of undone) retracted += await retractAlerts(store, held.source, block, at)
  await store.sourceBlocks.add(held.source, [to])
  await store.followers.move(held, { ...checkpoint, number: to.number, hash: to.hash }, at)
  return retracted
}

async function takeBackWindows(store: Store, source: string, undone: readonly KeptBlock[], at: Date): Promise<void> {
  if (undone.length === 0) return
  const windows = await store.stateWindows.lockFrom(source, Math.min(...undone.map(({ number }) => number)))
  const changed = windows.map((window) => ({
    ...window,
    state: undone.reduce((state, { hash }) => takeBack(state, hash), window.state),
  }))
  await store.stateWindows.saveAll(changed, at)
}

async function retractAlerts(store: Store, source: string, block: KeptBlock, at: Date): Promise<number> {
  const reason = `Block ${block.number} was replaced by a reorganisation of the chain.`
  const { alerts, delivered } = await store.retractions.retract(source, block, reason, at)
  await store.deliveries.addRetractions(
    delivered.map(({ id }) => id),
    at,
  )
  await store.jobs.wakeLanes(new Set(delivered.map(({ resourceId }) => resourceId)))
  return alerts.length
}
