import type { Handler } from '../handler.ts'
import { requireHeldSource } from './find.ts'
import { pendingStatus } from './status.ts'

/** What a developer tells the runtime of a source; the runtime follows the stored row. */

export const restartCustomSource: Handler<'restartCustomSource'> = ({ account, params, store, now }) =>
  store.tx(async (store) => {
    const row = await requireHeldSource(store, account, params.fullname, 'developer')
    const revision = await store.customSources.restart(row.id, pendingStatus(row.status, now), now)
    await store.sourceLogs.add(row.id, { level: 'info', message: 'Restarted', details: { revision } }, now)
    return { ok: true, fullname: row.fullname, revision }
  })

/**
 * The blocks between are never processed: whoever follows the source loses the lease by it, and the next one begins after
 * the head. A source that has not run yet has seen no block: its head is 0.
 */
export const resetCustomSourceLag: Handler<'resetCustomSourceLag'> = ({ account, params, store, now }) =>
  store.tx(async (store) => {
    const row = await requireHeldSource(store, account, params.fullname, 'developer')
    // Held, so that the runtime commits nothing between what is answered and what is done.
    const follower = await store.followers.lock(row.fullname)
    const latestBlock = follower?.head ?? row.runtime?.latestBlock ?? 0
    const processedBlock = follower?.number ?? row.runtime?.processedBlock ?? latestBlock
    const skippedBlocks = Math.max(0, latestBlock - processedBlock)
    if (row.runtime?.latestBlock !== undefined)
      await store.customSources.setRuntime(row.id, { ...row.runtime, latestBlock, processedBlock: latestBlock, lag: 0 })
    if (follower?.head != null) await store.followers.moveCheckpoint(row.fullname, follower.head, now)
    const details = { latestBlock, skippedBlocks }
    await store.sourceLogs.add(row.id, { level: 'info', message: 'Lag reset', details }, now)
    return { ok: true, latestBlock, skippedBlocks }
  })
