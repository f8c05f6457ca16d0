import type { ChainBlock } from '../../engine/sources/block.ts'
import type { Checkpoint, FollowerLease } from '../../store/following/followers.ts'
import { LeaseLost } from '../../store/following/lease.ts'
import type { Store } from '../../store/index.ts'
import { addJobs, type Fairness, jobsOf, type QueuedJob } from '../jobs/index.ts'
import type { TriggerMatches } from '../listeners/index.ts'

export type MatchedBlock = { block: ChainBlock; matches: readonly TriggerMatches[] }
export type BlocksCommit = {
  lease: FollowerLease
  blocks: readonly MatchedBlock[]
  checkpoint: Omit<Checkpoint, 'number' | 'hash'>
  fairness: Fairness
  at: Date
}

/**
 * Writes blocks, their matches as jobs, and the checkpoint. The caller runs it in one transaction, so after a crash either
 * all of it is stored or the next process repeats all of it.
 */
export async function commitBlocks(
  store: Store,
  { lease, blocks, checkpoint, fairness, at }: BlocksCommit,
): Promise<void> {
  const last = blocks.at(-1)?.block
  if (!last) return
  const links = blocks.map(({ block: { number, hash, parentHash } }) => ({ number, hash, parentHash }))
  const to = { ...checkpoint, number: last.number, hash: last.hash }
  const incarnations = await store.sourceBlocks.advance(lease, links, to, at)
  if (!incarnations) throw new LeaseLost(lease.source)
  const queued: QueuedJob[][] = blocks.map(({ block, matches }) => {
    const incarnation = incarnations.get(block.hash)
    if (incarnation === undefined) throw new Error(`block ${block.number} of ${lease.source} is already applied`)
    return matches.flatMap((ofTrigger) => blockJobs(lease.source, block, incarnation, ofTrigger, fairness, at))
  })
  await addJobs(store, queued)
}

function blockJobs(
  source: string,
  { number, hash, timestampMs }: ChainBlock,
  incarnation: number,
  { trigger, matches }: TriggerMatches,
  fairness: Fairness,
  at: Date,
): QueuedJob[] {
  const nowMs = timestampMs ?? at.getTime()
  const work = {
    source,
    block: { number, hash, timestampMs: nowMs, incarnation },
    nowMs,
    depth: 0,
    matches: itemsOfIncarnation(matches, incarnation),
  }
  const cause = { parts: [source, hash, incarnation], order: number }
  return jobsOf(trigger, work, cause, fairness)
}

/** The items of a block that comes back after an undo have keys of their own, so that their alerts are new ones. */
export function itemsOfIncarnation(matches: TriggerMatches['matches'], incarnation: number): TriggerMatches['matches'] {
  return incarnation === 0 ? matches : matches.map((match) => ({ ...match, key: `${match.key}:r${incarnation}` }))
}
