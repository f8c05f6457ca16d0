import { ownTurn } from '../../engine/base/event-loop-turns.ts'
import type { BlockSink, Link } from '../../engine/follow-core/index.ts'
import type { ChainBlock } from '../../engine/sources/block.ts'
import type { Chain } from '../../engine/sources/chain.ts'
import type { Held } from '../../store/following/followers.ts'
import { requireLease } from '../../store/following/lease.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { Fairness } from '../jobs/index.ts'
import type { LiveSource } from '../listeners/index.ts'
import { commitBlocks, type MatchedBlock } from './commit-blocks.ts'
import { commitUndo } from './commit-undo.ts'
import { matchBlock } from './match-block.ts'
import { PartHealth } from './part-health.ts'
import type { SourceChain } from './source-chain.ts'
import type { SourceReport } from './source-report.ts'

export type SinkParts = {
  deps: RuntimeDeps
  source: LiveSource
  held: Held
  chain: Chain
  view: SourceChain
  report: SourceReport
  fairness: Fairness
}
/** What is known of the head and of finality, as commits write it down. */
export type Horizon = { head: number; headAt: Date | null; finalized: number | null }

/** Where a source's blocks go: matched and committed, or taken back. */
export function makeSink(parts: SinkParts, horizon: () => Horizon): BlockSink {
  const health = new PartHealth(parts.source.fullname)
  return {
    apply: (blocks) => apply(parts, blocks, horizon(), health),
    undo: (blocks, to) => undo(parts, blocks, to, horizon()),
    begin: (at) => begin(parts, at, horizon()),
  }
}

async function apply(
  parts: SinkParts,
  fetched: readonly ChainBlock[],
  checkpoint: Horizon,
  health: PartHealth,
): Promise<void> {
  const { deps, source, held, chain, view, fairness, report } = parts
  await deps.crashPoint('ingest.fetched')
  // Whoever was told that he listens before the block was made is listened for.
  await deps.listeners.refresh()
  const blocks = await Promise.all(fetched.map((block) => view.complete(block)))
  const index = deps.listeners.index(source.fullname)
  const matched: MatchedBlock[] = []
  for (const block of blocks) {
    await ownTurn()
    matched.push({ block, found: matchBlock(block, chain.items, index) })
  }
  await deps.crashPoint('ingest.matched')
  const change = health.look(blocks.map((block) => ({ block, parts: view.partsOf(block) })))
  await deps.store.tx(async (store) => {
    await commitBlocks(store, { held, blocks: matched, checkpoint, fairness, at: deps.clock() })
    await health.write(store, change, deps.clock())
    await deps.crashPoint('ingest.beforeCommit')
  })
  await deps.crashPoint('ingest.afterCommit')
  health.keep(change)
  for (const line of change.lines) await report.log(line)
}

async function undo(
  parts: SinkParts,
  blocks: readonly Link[],
  to: Link | undefined,
  checkpoint: Horizon,
): Promise<void> {
  const { deps, held, report } = parts
  if (!to) throw new Error('there is always a block to go on from')
  const retracted = await deps.store.tx(async (store) => {
    const count = await commitUndo(store, { held, blocks, to, checkpoint, at: deps.clock() })
    await deps.crashPoint('undo.beforeCommit')
    return count
  })
  await deps.crashPoint('undo.afterCommit')
  const details = { blocks: blocks.length, from: to.number + 1, retracted }
  await report.log({
    level: 'warn',
    message: `A reorganisation replaced ${blocks.length} blocks after ${to.number}`,
    details,
  })
}

async function begin({ deps, held }: SinkParts, at: Link, checkpoint: Horizon): Promise<void> {
  const { number, hash, parentHash } = at
  await deps.store.tx(async (store) => {
    await requireLease(store, held)
    await store.sourceBlocks.removeAbove(held.source, number)
    await store.sourceBlocks.add(held.source, [{ number, hash, parentHash }])
    await store.followers.move(held, { ...checkpoint, number, hash }, deps.clock())
    await deps.crashPoint('begin.beforeCommit')
  })
}
