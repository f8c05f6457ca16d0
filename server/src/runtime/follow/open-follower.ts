import { Follower, type Link } from '../../engine/follow-core/index.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { FollowerRow } from '../../store/following/followers.ts'
import { LeaseLost } from '../../store/following/lease.ts'
import type { LiveSource, SourceIndex } from '../listeners/index.ts'
import type { FollowContext } from './follow-context.ts'
import type { SourceReport } from './source-report.ts'
import type { SourceSink } from './source-sink.ts'
import { appliedOf, linkAtOrBelow, type StartingPoint, startingPoint } from './starting-point.ts'

/** The blocks of one commit. Their matches and jobs are in memory together, and take several times the bytes of the blocks. */
const [batchMax, batchBytesMax] = [16, 2_000_000]
const queuedDefault = 10_000
/** Blocks that are fetched ahead, for each fetch that may run at once. */
const aheadPerFetch = 4

/** Opens the follower at the stored checkpoint. A source without one begins at its starting point. */
export async function openFollower(context: FollowContext, sink: SourceSink): Promise<Follower> {
  const { deps, source, lease, view, progress, report } = context
  const row = await deps.store.followers.find(lease.source)
  if (row?.epoch !== lease.epoch) throw new LeaseLost(lease.source)
  progress.finalized = row.finalized
  const applied = appliedOf(row, await deps.store.sourceBlocks.listApplied(lease.source))
  const follower = new Follower(view, sink, applied, { ...optionsOf(source), memory: context.memory })
  if (row.number !== null && row.hash !== null) return follower
  const { at, isCut } = await findBeginning(context, row)
  await follower.begin(at)
  await reportBeginning(report, at.number, isCut)
  return follower
}

/** The block to which a person moved the checkpoint; else the last block before the source was first wanted. */
async function findBeginning(context: FollowContext, row: FollowerRow): Promise<StartingPoint> {
  const { deps, source, view, progress, blockTime } = context
  const head = await view.head()
  progress.setHead(head)
  blockTime.recordHead(head.number)
  if (row.number !== null) return { at: requireLink(await linkAtOrBelow(view, row.number)), isCut: false }
  await deps.listeners.refresh()
  const firstHead = Math.min(head.number, row.state.firstHead ?? head.number)
  const point = await startingPoint(view, {
    target: Math.max(0, firstHead - (source.settings.confirmations ?? 0)),
    since: wantedSince(source, deps.listeners.index(source.fullname)),
    backMax: source.settings.maxQueuedBlocks ?? queuedDefault,
  })
  return { at: requireLink(point?.at), isCut: point?.isCut ?? false }
}

async function reportBeginning(report: SourceReport, block: number, isCut: boolean): Promise<void> {
  if (!isCut) return report.log({ level: 'info', message: `Following from block ${block}`, details: { block } })
  const message = `Following from block ${block}. Earlier blocks that were wanted are skipped: "maxQueuedBlocks" allows no more`
  report.runningMessage = message
  await report.log({ level: 'warn', message, details: { block } })
}

/** The time from which listeners want the source's blocks; undefined while the source has no listeners. */
function wantedSince({ savedAt }: LiveSource, index: SourceIndex | undefined): number | undefined {
  return index && Math.max(savedAt.getTime(), index.since)
}

function requireLink(link: Link | undefined): Link {
  if (link) return link
  throw new UpstreamError('bad_answer', 'The node does not return its latest block.')
}

function optionsOf({ settings }: LiveSource) {
  const { blockProcessingConcurrency = 4, maxQueuedBlocks = queuedDefault, confirmations = 0 } = settings
  const queuedMax = Math.min(maxQueuedBlocks, aheadPerFetch * blockProcessingConcurrency)
  return { concurrency: blockProcessingConcurrency, queuedMax, confirmations, batchMax, batchBytesMax }
}
