import type { ChainBlock } from '../../../engine/sources/block.ts'
import type { HistoryEnd, HistoryRow } from '../../../store/alerts/histories.ts'
import { requireLease } from '../../../store/following/lease.ts'
import type { Store } from '../../../store/index.ts'
import { type EvaluateJob, type HistoryJob, historyScope, jobId } from '../../jobs/index.ts'
import type { TriggerMatches } from '../../listeners/index.ts'
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

async function chunksOf(store: Store, { row, source, matched }: ReadBlocks, at: Date): Promise<EvaluateJob[]> {
  const incarnations = await requireApplied(
    store,
    source,
    matched.map(({ block }) => block),
  )
  return matched.flatMap(({ block, matches }) =>
    matches.map((ofTrigger) => chunkOf(row, block, incarnations.get(block.hash) ?? 0, ofTrigger, at)),
  )
}

/** Returns the incarnations of the blocks. Blocks that the follower does not keep are final. */
async function requireApplied(
  store: Store,
  source: string,
  blocks: readonly ChainBlock[],
): Promise<Map<string, number>> {
  const kept = await store.sourceBlocks.listBetween(source, blocks[0]?.number ?? 0, blocks.at(-1)?.number ?? -1)
  const applied = new Map(kept.filter(({ isUndone }) => !isUndone).map((block) => [block.number, block]))
  const undone = new Set(kept.filter(({ isUndone }) => isUndone).map(({ hash }) => hash))
  for (const { number, hash } of blocks)
    if (undone.has(hash) || (applied.get(number)?.hash ?? hash) !== hash)
      throw new ChainMoved(`block ${number} of the history is not on the chain that is followed`)
  return new Map([...applied.values()].map(({ hash, incarnation }) => [hash, incarnation]))
}

function chunkOf(
  { source, delivers }: HistoryRow,
  { number, hash, timestampMs }: ChainBlock,
  incarnation: number,
  { trigger, matches }: TriggerMatches,
  at: Date,
): EvaluateJob {
  const nowMs = timestampMs ?? at.getTime()
  return {
    triggerId: trigger.id,
    source,
    block: { number, hash, timestampMs: nowMs, incarnation },
    nowMs,
    depth: 0,
    // Triggers that listen to the outputs get them from the live follower.
    matches: itemsOfIncarnation(matches, incarnation).map((match) => ({ ...match, isRetryFor: 'listeners' })),
    backfill: { delivers },
  }
}

async function addJob(store: Store, row: HistoryRow, chunks: EvaluateJob[], upTo: number): Promise<void> {
  const { subscriptionId, generation } = row
  const data: HistoryJob = { history: { subscriptionId, generation, upTo }, chunks }
  const key = `history ${subscriptionId}`
  const id = jobId('history', subscriptionId, generation, upTo)
  await store.jobs.add('evaluate-ordered', [{ id, data, key, group: key }])
}
