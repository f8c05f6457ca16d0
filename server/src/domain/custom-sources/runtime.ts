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

/** The blocks between are never processed. A source that has not run yet has no head to move to. */
export const resetCustomSourceLag: Handler<'resetCustomSourceLag'> = ({ account, params, store, now }) =>
  store.tx(async (store) => {
    const row = await requireHeldSource(store, account, params.fullname, 'developer')
    const { latestBlock, processedBlock = latestBlock } = row.runtime ?? {}
    const skippedBlocks = Math.max(0, (latestBlock ?? 0) - (processedBlock ?? 0))
    if (latestBlock !== undefined)
      await store.customSources.setRuntime(row.id, { ...row.runtime, processedBlock: latestBlock, lag: 0 })
    const head = latestBlock ?? null
    const details = { latestBlock: head, skippedBlocks }
    await store.sourceLogs.add(row.id, { level: 'info', message: 'Lag reset', details }, now)
    return { ok: true, latestBlock: head, skippedBlocks }
  })
