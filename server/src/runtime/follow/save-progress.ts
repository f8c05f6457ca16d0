import type { ChainBlock } from '../../engine/sources/block.ts'
import type { FollowerLease } from '../../store/following/followers.ts'
import type { Store } from '../../store/index.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { Horizon } from './progress.ts'
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
 * Stores blocks without matches, checkpoints, heads and lag of all sources of the process in one transaction. The listeners
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
    const saved = await deps.store.tx(async (store) => {
      await writeReports(store, reports, held, deps.clock())
      const saved = await writeHeld(store, held, deps.clock())
      if (held.length > 0) await deps.crashPoint('ingest.beforeCommit')
      return saved
    })
    if (held.length > 0) await deps.crashPoint('ingest.afterCommit')
    for (const { lease, markSaved } of held) if (saved.has(lease.source)) markSaved()
    for (const { markSaved } of reports) markSaved()
  } catch (error) {
    // The error may concern one source only, so each one tries for itself.
    for (const { commitAlone } of held) await commitAlone()
    throw error
  }
}

/** Locks sources before followers, as every transaction does. The checkpoint of held blocks includes the head. */
async function writeReports(
  store: Store,
  reports: readonly UnsavedReport[],
  held: readonly LockedBlocks[],
  at: Date,
): Promise<void> {
  const custom = reports.flatMap(({ id, revision, runtime, status }) =>
    id === null ? [] : { id, revision, runtime, status: status ?? null },
  )
  await store.customSources.saveReports(custom)
  const withBlocks = new Set(held.map(({ lease }) => lease.source))
  const heads = reports.flatMap(({ lease, runtime: { latestBlock, headAt } }) =>
    latestBlock === undefined || withBlocks.has(lease.source)
      ? []
      : { ...lease, head: latestBlock, headAt: headAt ?? null },
  )
  await store.followers.saveHeads(heads, at)
}

/** Returns the sources whose blocks were written. */
async function writeHeld(store: Store, held: readonly LockedBlocks[], at: Date): Promise<ReadonlySet<string>> {
  if (held.length === 0) return new Set()
  const fenced = await store.followers.fenceAll(held.map(({ lease }) => lease))
  const saved = held.filter(({ lease }) => fenced.has(lease.source))
  const blocks = saved.flatMap(({ lease: { source }, blocks }) =>
    blocks.map(({ number, hash, parentHash }) => ({ source, number, hash, parentHash })),
  )
  const added = await store.sourceBlocks.addAll(blocks)
  if (added !== blocks.length) throw new Error(`${blocks.length - added} of the held blocks are already applied`)
  const checkpoints = saved.flatMap(({ lease, blocks, checkpoint }) => {
    const last = blocks.at(-1)
    return last ? { ...lease, ...checkpoint, number: last.number, hash: last.hash } : []
  })
  await store.followers.saveCheckpoints(checkpoints, at)
  return fenced
}
