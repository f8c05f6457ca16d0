import type { ChainBlock } from '../../engine/sources/block.ts'
import type { FollowerLease } from '../../store/following/followers.ts'
import type { SourceToMove, SourceToReport } from '../../store/following/progress.ts'
import type { Store } from '../../store/index.ts'
import type { RuntimeDeps } from '../deps.ts'
import { storableBlockTime } from './commit-blocks.ts'
import type { Horizon } from './follow-context.ts'
import type { UnsavedReport } from './source-report.ts'

/** Blocks without matches that a source has not committed yet. The sink does nothing until they are unlocked. */
export type LockedBlocks = {
  lease: FollowerLease
  /** The version of the listeners with which the blocks were matched. */
  version: number
  blocks: readonly ChainBlock[]
  checkpoint: Horizon
  markSaved(): void
  /** Matches the blocks again if the listeners changed, and commits them. A failure restarts the follow loop. */
  commitAlone(): Promise<void>
  unlock(): void
}
/** What a source run has not stored yet. */
export type Unsaved = { held: LockedBlocks | undefined; report: UnsavedReport | undefined }
type Deps = Pick<RuntimeDeps, 'clock' | 'crashPoint'> & {
  store: Store
  listeners: Pick<RuntimeDeps['listeners'], 'refresh' | 'version'>
}

/**
 * Stores blocks without matches, checkpoints, heads and lag of all sources of the process in one statement. The listeners
 * are refreshed after the blocks were locked: if a listener was added since a block was matched, the block is matched
 * again. A source whose row is locked or whose lease was lost is left out; its blocks stay held.
 */
export async function saveProgress(deps: Deps, unsaved: readonly Unsaved[]): Promise<void> {
  const held = unsaved.flatMap(({ held }) => held ?? [])
  const reports = unsaved.flatMap(({ report }) => report ?? [])
  try {
    if (held.length > 0) await deps.listeners.refresh()
    const version = deps.listeners.version()
    const current = held.filter((each) => each.version === version)
    for (const each of held) if (each.version !== version) await each.commitAlone()
    await saveTogether(deps, current, reports)
  } finally {
    for (const { unlock } of held) unlock()
  }
}

async function saveTogether(deps: Deps, held: readonly LockedBlocks[], reports: readonly UnsavedReport[]) {
  try {
    if (held.length > 0) await deps.crashPoint('ingest.beforeCommit')
    const { moved, doubled } = await deps.store.progress.save(customOf(reports), movesOf(held, reports), deps.clock())
    if (held.length > 0) await deps.crashPoint('ingest.afterCommit')
    for (const { markSaved } of reports) markSaved()
    for (const { lease, markSaved, commitAlone } of held) {
      if (moved.has(lease.source)) markSaved()
      // The commit finds the block that is already applied, too, and fails.
      if (doubled.has(lease.source)) await commitAlone()
    }
  } catch (error) {
    // The error may concern one source only, so each one tries for itself.
    for (const { commitAlone } of held) await commitAlone()
    throw error
  }
}

function customOf(reports: readonly UnsavedReport[]): SourceToReport[] {
  return reports.flatMap(({ id, revision, runtime, status }) =>
    id === null ? [] : { id, revision, runtime, status: status ?? null },
  )
}

/** The checkpoint of held blocks includes the head. */
function movesOf(held: readonly LockedBlocks[], reports: readonly UnsavedReport[]): SourceToMove[] {
  const withBlocks = new Set(held.map(({ lease }) => lease.source))
  const heads = reports.flatMap(({ lease, readAt, runtime: { latestBlock, headAt } }) =>
    latestBlock === undefined || withBlocks.has(lease.source)
      ? []
      : { ...lease, head: latestBlock, headAt: headAt ?? null, finalized: null, readAt, blocks: [] },
  )
  const moves = held.map(({ lease, blocks, checkpoint }) => ({
    ...{ ...lease, ...checkpoint },
    blocks: blocks.map(({ number, hash, parentHash, timestampMs }) => {
      const at = storableBlockTime({ timestampMs })?.toISOString() ?? null
      return { number, hash, parentHash, at }
    }),
  }))
  return [...heads, ...moves]
}
