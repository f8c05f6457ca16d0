import type { ChainBlock } from '../../engine/sources/block.ts'
import type { LostEvents } from '../../engine/sources/raw-items.ts'
import type { AppliedCheckpoint, FollowerLease } from '../../store/following/followers.ts'
import { LeaseLost } from '../../store/following/lease.ts'
import type { Store } from '../../store/index.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { EvaluatedAtOnce } from '../jobs/at-once.ts'
import { addJobs, type Fairness, jobsOf, type QueuedJob } from '../jobs/index.ts'
import type { TriggerMatches } from '../listeners/index.ts'

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

/** `atOnce` is set if alerts were committed with the blocks. */
export type CommittedBlocks<T> = { written: T; atOnce: EvaluatedAtOnce | undefined }

/**
 * Commits blocks, their matches, and what `writeMore` writes. Matches that need no job are evaluated before, so that their
 * alerts are in the same commit. If that commit fails, all matches become jobs.
 */
export async function commitBlocks<T>(
  deps: Pick<RuntimeDeps, 'store' | 'atOnce' | 'log' | 'crashPoint'>,
  commit: BlocksCommit,
  writeMore: (store: Store) => Promise<T>,
): Promise<CommittedBlocks<T>> {
  const jobs = jobsOfBlocks(commit)
  const write = (atOnce?: EvaluatedAtOnce) =>
    deps.store.tx(async (store) => {
      await writeBlocks(store, commit, jobs, atOnce)
      const written = await writeMore(store)
      await deps.crashPoint('ingest.beforeCommit')
      return written
    })
  const atOnce = await deps.atOnce?.evaluate(jobs.flat())
  if (!atOnce) return { written: await write(), atOnce }
  try {
    return { written: await write(atOnce), atOnce }
  } catch (error) {
    atOnce.discard()
    if (error instanceof LeaseLost) throw error
    const { source } = commit.lease
    const message = 'alerts were not stored with their blocks; their matches become jobs'
    if (!(error instanceof UndoneBefore)) deps.log.warn({ source, reason: String(error) }, message)
    return { written: await write(), atOnce: undefined }
  }
}

/** The results of an evaluation at once are for blocks that were never undone. The items of others have other keys. */
class UndoneBefore extends Error {}

/** The jobs of the blocks, by block, as if none was undone before, which is true for nearly all. */
export function jobsOfBlocks({ lease, blocks, fairness, at }: BlocksCommit): QueuedJob[][] {
  return blocks.map((matched) => jobsOfBlock(lease.source, matched, 0, fairness, at))
}

/**
 * Writes blocks, their matches as jobs, and the checkpoint. The alerts of `atOnce` are written instead of the jobs that they
 * come from. It runs in one transaction, so after a crash either all of it is stored or the next process repeats all of it.
 */
export async function writeBlocks(
  store: Store,
  { lease, blocks, checkpoint, fairness, at }: BlocksCommit,
  jobs: readonly QueuedJob[][],
  atOnce?: EvaluatedAtOnce,
): Promise<void> {
  const last = blocks.at(-1)?.block
  if (!last) return
  await atOnce?.lock(store)
  const links = blocks.map(({ block: { number, hash, parentHash } }) => ({ number, hash, parentHash }))
  const to = { ...checkpoint, number: last.number, hash: last.hash, numberAt: storableBlockTime(last) }
  const incarnations = await store.sourceBlocks.advance(lease, links, to, at)
  if (!incarnations) throw new LeaseLost(lease.source)
  const queued = blocks.map((matched, index) => {
    const incarnation = incarnationOf(matched.block, incarnations, lease)
    if (incarnation === 0) return jobs[index] ?? []
    if (atOnce) throw new UndoneBefore()
    return jobsOfBlock(lease.source, matched, incarnation, fairness, at)
  })
  await atOnce?.write(store)
  const isEvaluated = ({ job }: QueuedJob) => atOnce?.jobIds.has(job.id) ?? false
  await addJobs(
    store,
    queued.map((ofBlock) => ofBlock.filter((each) => !isEvaluated(each))),
  )
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

function jobsOfBlock(
  source: string,
  { block, matches }: MatchedBlock,
  incarnation: number,
  fairness: Fairness,
  at: Date,
): QueuedJob[] {
  return matches.flatMap((ofTrigger) => blockJobs(source, block, incarnation, ofTrigger, fairness, at))
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
