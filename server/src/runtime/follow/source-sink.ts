import { waitForTurn } from '../../engine/base/event-loop-turns.ts'
import type { BlockSink, Link } from '../../engine/follow-core/index.ts'
import type { ChainBlock } from '../../engine/sources/block.ts'
import { requireLease } from '../../store/following/lease.ts'
import { commitBlocks, type MatchedBlock } from './commit-blocks.ts'
import { commitUndo } from './commit-undo.ts'
import type { FollowContext } from './follow-context.ts'
import { matchBlock } from './match-block.ts'
import { PartHealth } from './part-health.ts'

type SinkContext = Pick<
  FollowContext,
  'deps' | 'source' | 'lease' | 'chain' | 'view' | 'report' | 'fairness' | 'progress'
>

/** Takes the follower's blocks: matches and commits them, undoes them, or begins at one of them. */
export function makeSink(context: SinkContext): BlockSink {
  const health = new PartHealth(context.source.fullname)
  return {
    apply: (blocks) => apply(context, blocks, health),
    undo: (blocks, to) => undo(context, blocks, to),
    begin: (at) => begin(context, at),
  }
}

async function apply(context: SinkContext, fetched: readonly ChainBlock[], health: PartHealth): Promise<void> {
  const { deps, lease, view, fairness, report } = context
  const checkpoint = context.progress.horizon
  await deps.crashPoint('ingest.fetched')
  // A subscription whose save was answered before the block was made must match in it.
  await deps.listeners.refresh()
  const blocks = await Promise.all(fetched.map((block) => view.complete(block)))
  const matched = await matchBlocks(context, blocks)
  await deps.crashPoint('ingest.matched')
  const change = health.check(blocks.map((block) => ({ block, parts: view.partsOf(block) })))
  await deps.store.tx(async (store) => {
    await commitBlocks(store, { lease, blocks: matched, checkpoint, fairness, at: deps.clock() })
    await health.write(store, change, deps.clock())
    await deps.crashPoint('ingest.beforeCommit')
  })
  await deps.crashPoint('ingest.afterCommit')
  health.keep(change)
  for (const line of change.lines) await report.log(line)
}

async function matchBlocks(
  { deps, source, chain }: SinkContext,
  blocks: readonly ChainBlock[],
): Promise<MatchedBlock[]> {
  const index = deps.listeners.index(source.fullname)
  const matched: MatchedBlock[] = []
  for (const block of blocks) {
    await waitForTurn()
    matched.push({ block, matches: matchBlock(block, chain.items, index) })
  }
  return matched
}

async function undo(context: SinkContext, blocks: readonly Link[], to: Link | undefined): Promise<void> {
  const { deps, lease, report } = context
  const checkpoint = context.progress.horizon
  if (!to) throw new Error('an undo needs a block to continue from')
  const retracted = await deps.store.tx(async (store) => {
    const count = await commitUndo(store, { lease, blocks, to, checkpoint, at: deps.clock() })
    await deps.crashPoint('undo.beforeCommit')
    return count
  })
  await deps.crashPoint('undo.afterCommit')
  const details = { blocks: blocks.length, from: to.number + 1, retracted }
  const message = `A reorganisation replaced ${blocks.length} blocks after ${to.number}`
  await report.log({ level: 'warn', message, details })
}

async function begin({ deps, lease, progress }: SinkContext, at: Link): Promise<void> {
  const checkpoint = progress.horizon
  const { number, hash, parentHash } = at
  await deps.store.tx(async (store) => {
    await requireLease(store, lease)
    await store.sourceBlocks.removeAbove(lease.source, number)
    await store.sourceBlocks.add(lease.source, [{ number, hash, parentHash }])
    await store.followers.saveCheckpoint(lease, { ...checkpoint, number, hash }, deps.clock())
    await deps.crashPoint('begin.beforeCommit')
  })
}
