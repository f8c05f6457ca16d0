import type { ChainBlock } from '../../engine/sources/block.ts'
import type { LostEvents } from '../../engine/sources/raw-items.ts'
import { type AppliedCheckpoint, type FollowerLease, LeaseLost } from '../../store/following/followers.ts'
import type { Store } from '../../store/index.ts'
import type { RuntimeDeps } from '../deps.ts'
import { addJobs, type Fairness, jobsOf, type QueuedJob } from '../jobs/split.ts'
import type { TriggerMatches } from '../listeners/match-collector.ts'

export type MatchedBlock = {
  block: ChainBlock
  matches: readonly TriggerMatches[]
  /** Transactions that may have had events for the listeners which nobody can see. */
  lost?: readonly LostEvents[]
}
export type BlocksCommit = {
  lease: FollowerLease
  blocks: readonly MatchedBlock[]
  checkpoint: Omit<AppliedCheckpoint, 'number' | 'hash' | 'numberAt'>
  fairness: Fairness
  at: Date
}

/**
 * Commits blocks, their matches as jobs, the checkpoint, and what `writeMore` writes. It is one transaction, so after a crash
 * either all of it is stored or the next process repeats all of it.
 */
export function commitBlocks<T>(
  { store, crashPoint }: Pick<RuntimeDeps, 'store' | 'crashPoint'>,
  commit: BlocksCommit,
  writeMore: (store: Store) => Promise<T>,
): Promise<T> {
  return store.tx(async (store) => {
    await writeBlocks(store, commit)
    const written = await writeMore(store)
    await crashPoint('ingest.beforeCommit')
    return written
  })
}

async function writeBlocks(store: Store, { lease, blocks, checkpoint, fairness, at }: BlocksCommit): Promise<void> {
  const last = blocks.at(-1)?.block
  if (!last) return
  const links = blocks.map(({ block: { number, hash, parentHash } }) => ({ number, hash, parentHash }))
  const to = { ...checkpoint, number: last.number, hash: last.hash, numberAt: storableBlockTime(last) }
  const incarnations = await store.sourceBlocks.advance(lease, links, to, at)
  if (!incarnations) throw new LeaseLost(lease.source)
  const jobs = blocks.map(({ block, matches }) => {
    const incarnation = incarnationOf(block, incarnations, lease)
    return matches.flatMap((ofTrigger) => blockJobs(lease.source, block, incarnation, ofTrigger, fairness, at))
  })
  await addJobs(store, jobs)
}

/** The time that a block names. Null if the store cannot keep it: a node may report any number. */
export function storableBlockTime({ timestampMs }: Pick<ChainBlock, 'timestampMs'>): Date | null {
  return timestampMs !== undefined && timestampMs >= 0 && timestampMs <= timeMaxMs ? new Date(timestampMs) : null
}

/** The end of the year 9999. */
const timeMaxMs = 253_402_300_799_999

function incarnationOf(
  { number, hash }: ChainBlock,
  added: ReadonlyMap<string, number>,
  { source }: FollowerLease,
): number {
  const incarnation = added.get(hash)
  if (incarnation === undefined) throw new Error(`block ${number} of ${source} is already applied`)
  return incarnation
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
