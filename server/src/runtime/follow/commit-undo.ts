import { takeBack } from '../../engine/providers/state-window/index.ts'
import { type Checkpoint, type FollowerLease, requireLease } from '../../store/following/followers.ts'
import type { BlockLink, KeptBlock } from '../../store/following/source-blocks.ts'
import type { Store } from '../../store/index.ts'
import { retractedJobs } from '../jobs/job.ts'
import { earlierMax } from './factory-members.ts'

export type UndoCommit = {
  lease: FollowerLease
  blocks: readonly BlockLink[]
  /** The block to continue from; it is added to the applied blocks if it is missing. */
  to: BlockLink
  checkpoint: Omit<Checkpoint, 'number' | 'hash'>
  at: Date
}

/**
 * Undoes blocks that the chain replaced: state windows, values of policies, alerts, histories and the checkpoint, in the
 * caller's transaction. Returns the number of retracted alerts. A commit of alerts locks the rows of their blocks, so each
 * alert of such a block is either retracted here or never created.
 */
export async function commitUndo(store: Store, { lease, blocks, to, checkpoint, at }: UndoCommit): Promise<number> {
  await requireLease(store, lease)
  const undone = await store.sourceBlocks.undo(
    lease.source,
    blocks.map(({ hash }) => hash),
    at,
  )
  await undoWindows(store, lease.source, undone, at)
  let retracted = 0
  for (const block of undone) {
    await store.policyValues.undo(lease.source, block)
    retracted += await retractAlerts(store, lease.source, block, at)
  }
  const replaced = { to: to.number, tip: Math.max(to.number, ...blocks.map(({ number }) => number)) }
  await store.histories.rewind(lease.source, replaced, at)
  await store.histories.shorten(lease.source, replaced, at)
  const added = await store.sourceBlocks.add(lease.source, [to])
  // If the block is new here, earlier blocks may be replaced too: members were also learned from blocks that were never applied.
  await store.factories.undo(lease.source, to.number - (added.has(to.hash) ? earlierMax : 0))
  await store.followers.saveCheckpoint(lease, { ...checkpoint, number: to.number, hash: to.hash }, at)
  return retracted
}

async function undoWindows(store: Store, source: string, undone: readonly KeptBlock[], at: Date): Promise<void> {
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
  const { alerts, subscriptions, delivered } = await store.retractions.retract(source, block, reason, at)
  await store.jobs.add('policy', retractedJobs(subscriptions, at))
  await store.deliveries.addRetractions(
    delivered.map(({ id }) => id),
    at,
  )
  await store.jobs.wakeLanes(new Set(delivered.map(({ resourceId }) => resourceId)))
  return alerts.length
}
