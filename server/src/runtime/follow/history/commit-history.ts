import { findUnlinked } from '../../../engine/follow-core/chain.ts'
import type { ChainBlock } from '../../../engine/sources/block.ts'
import type { HistoryEnd, HistoryRow } from '../../../store/alerts/histories.ts'
import { requireLease } from '../../../store/following/followers.ts'
import type { Store } from '../../../store/index.ts'
import { historyScope, jobId } from '../../jobs/ids.ts'
import { type HistoryChunk, type HistoryJob, withoutRecorded } from '../../jobs/job.ts'
import type { TriggerMatches } from '../../listeners/match-collector.ts'
import { itemsOfIncarnation, type MatchedBlock } from '../commit-blocks.ts'
import type { FollowContext } from '../follow-context.ts'
import { ChainMoved } from '../source-chain.ts'

type Context = Pick<FollowContext, 'deps' | 'lease'>
/** Blocks after `row.fetched`, with their matches. */
export type ReadBlocks = { row: HistoryRow; source: string; matched: readonly MatchedBlock[]; upTo: number }

/**
 * Writes the matches of past blocks as one job, and how far the history was read, in one commit under the lease of the
 * source. Returns true if there was a job. Throws ChainMoved if the blocks are not those that the follower has applied.
 */
export async function commitHistory({ deps, lease }: Context, read: ReadBlocks): Promise<boolean> {
  const { row, upTo } = read
  const isQueued = await deps.store.tx(async (store) => {
    await requireLease(store, lease)
    const chunks = await chunksOf(store, read, deps.clock())
    const isQueued = chunks.length > 0
    if (isQueued) await addJob(store, row, chunks, upTo)
    if (!(await store.histories.recordFetched({ ...row, upTo, isQueued }, deps.clock())))
      throw new ChainMoved('the history was rewound while its blocks were read')
    await deps.crashPoint('history.beforeCommit')
    return isQueued
  })
  await deps.crashPoint('history.afterCommit')
  return isQueued
}

/** The history ends at the checkpoint: the subscription gets the next block from the live follower. */
export async function endHistory(
  { deps, lease }: Context,
  end: HistoryEnd,
  triggers: readonly string[],
  checkpoint: number,
): Promise<boolean> {
  if (end.state === 'done' && end.fetched !== checkpoint) return false
  const hasEnded = await deps.store.tx(async (store) => {
    await requireLease(store, lease)
    if (!(await store.histories.end(end, deps.clock()))) return false
    await store.stateWindows.adopt(triggers, historyScope(end.subscriptionId))
    await deps.crashPoint('history.beforeEnd')
    return true
  })
  await deps.crashPoint('history.afterEnd')
  // Before the sink takes the next block: from that block on the subscription is live.
  await deps.listeners.refresh()
  return hasEnded
}

async function chunksOf(store: Store, read: ReadBlocks, at: Date): Promise<HistoryChunk[]> {
  const incarnations = await requireFollowed(store, read)
  const { recorded } = read.row
  return read.matched.flatMap(({ block, matches }) => {
    // A block that is final by now has no incarnation in the store any longer.
    const known = recorded?.hash === block.hash ? recorded.incarnation : 0
    const incarnation = incarnations.get(block.hash) ?? known
    return matches.flatMap(
      (ofTrigger) => withoutRecorded(chunkOf(read.row, block, incarnation, ofTrigger, at), recorded) ?? [],
    )
  })
}

/**
 * Returns the incarnations of the blocks that the follower has applied.
 *
 * A reorg takes back the alerts of the blocks that the follower undoes, and it undoes only blocks that it has applied. So a
 * history queues a block only while the follower has applied that very block, or the block is final; the blocks from before
 * the source was followed were added to the applied ones (`earlier-blocks.ts`). This transaction holds the lock of the
 * follower's row: no block is applied or undone before the commit. A later undo raises the generation of the history, and
 * the jobs of the old one write nothing.
 */
async function requireFollowed(store: Store, { row, source, matched, upTo }: ReadBlocks): Promise<Map<string, number>> {
  const checkpoint = (await store.followers.find(source))?.number ?? -1
  if (upTo > checkpoint) throw new ChainMoved(`block ${upTo} of the history is not applied any longer`)
  // The blocks before and after belong to the chain of the history too.
  const kept = await store.sourceBlocks.listBetween(source, row.fetched, upTo + 1)
  const applied = kept.filter(({ isUndone }) => !isUndone)
  const blocks = matched.map(({ block }) => block)
  const read = new Set(blocks.map(({ hash }) => hash))
  const other =
    kept.find(({ hash, isUndone }) => isUndone && read.has(hash)) ??
    applied.find(({ number, hash }) => number > row.fetched && number <= upTo && !read.has(hash)) ??
    findUnlinked([
      ...applied.filter(({ number }) => number === row.fetched),
      ...blocks,
      ...applied.filter(({ number }) => number === upTo + 1),
    ])
  if (other) throw new ChainMoved(`block ${other.number} of the history is not on the chain that is followed`)
  return new Map(applied.map(({ hash, incarnation }) => [hash, incarnation]))
}

function chunkOf(
  { source, to, delivers }: HistoryRow,
  { number, hash, timestampMs }: ChainBlock,
  incarnation: number,
  { trigger, matches }: TriggerMatches,
  at: Date,
): HistoryChunk {
  const nowMs = timestampMs ?? at.getTime()
  return {
    triggerId: trigger.id,
    source,
    block: { number, hash, timestampMs: nowMs, incarnation },
    nowMs,
    depth: 0,
    // Triggers that listen to the outputs get them from the live follower.
    matches: itemsOfIncarnation(matches, incarnation).map((match) => ({ ...match, isRetryFor: 'listeners' })),
    // Blocks that came since the subscription began are told as live ones are.
    ...(number <= to && { backfill: { delivers } }),
  }
}

async function addJob(store: Store, row: HistoryRow, chunks: HistoryChunk[], upTo: number): Promise<void> {
  const { subscriptionId, generation } = row
  const data: HistoryJob = { history: { subscriptionId, generation, upTo }, chunks }
  const key = `history ${subscriptionId}`
  const id = jobId('history', subscriptionId, generation, upTo)
  await store.jobs.add('evaluate-ordered', [{ id, data, key, group: key }])
}
