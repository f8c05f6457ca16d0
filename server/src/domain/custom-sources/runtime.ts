import { randomUUID } from 'node:crypto'
import type { SourceEvent } from '../../engine/sources/source-event.ts'
import type { SourceStatus } from '../../store/core/tables.ts'
import type { CustomSourceRow } from '../../store/following/custom-sources.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { lockSource, requireSourceLevel } from './find.ts'

/** Runtime actions of developers. They change the stored row, and the runtime follows it. */

export const restartCustomSource: Handler<'restartCustomSource'> = ({ account, ip, params, store, now }) =>
  store.tx(async (store) => {
    const row = await lockSource(store, account, params.fullname, 'developer')
    const revision = await store.customSources.restart(row.id, pendingStatus(row.status, now), now)
    await store.sourceLogs.add(row.id, { level: 'info', message: 'Restarted', details: { revision } }, now)
    const { workspace_id: workspaceId, fullname } = row
    await recordChange(store, { account, ip, now }, { action: 'source.restart', workspaceId, fullname })
    return { ok: true, fullname, revision }
  })

/**
 * The blocks in between are never processed: the process that follows the source loses its lease, and the next one
 * starts after the head. A source that has not run yet has seen no block, so its head is 0.
 */
export const resetCustomSourceLag: Handler<'resetCustomSourceLag'> = ({ account, ip, params, store, now }) =>
  store.tx(async (store) => {
    const row = await lockSource(store, account, params.fullname, 'developer')
    // The lock keeps the runtime from committing blocks between the returned numbers and the change.
    const follower = await store.followers.lock(row.fullname)
    const latestBlock = follower?.head ?? row.runtime?.latestBlock ?? 0
    const processedBlock = follower?.number ?? row.runtime?.processedBlock ?? latestBlock
    const skippedBlocks = Math.max(0, latestBlock - processedBlock)
    if (row.runtime?.latestBlock !== undefined)
      await store.customSources.setRuntime(row.id, { ...row.runtime, latestBlock, processedBlock: latestBlock, lag: 0 })
    if (follower?.head != null) await store.followers.moveCheckpoint(row.fullname, follower.head, now)
    const details = { latestBlock, skippedBlocks }
    await store.sourceLogs.add(row.id, { level: 'info', message: 'Lag reset', details }, now)
    const { workspace_id: workspaceId, fullname } = row
    await recordChange(store, { account, ip, now }, { action: 'source.reset-lag', workspaceId, fullname })
    return { ok: true, latestBlock, skippedBlocks }
  })

/** After every save and restart a source waits for its runtime. */
export function pendingStatus(before: SourceStatus | undefined, now: Date): SourceStatus {
  return { status: 'pending', ...(before && { previousStatus: before.status }), updatedAt: now.toISOString() }
}

/**
 * Publishes a test event to the subscribers of the source's events, as a real status change does. `matched` counts
 * their subscriptions, `delivered` the resources. The status stays as it is.
 */
export const testCustomSourceStatus: Handler<'testCustomSourceStatus'> = async (context) => {
  const { account, params, body, store, publishSourceEvent, now } = context
  const row = await requireSourceLevel(store, account, params.fullname, 'developer')
  const event = eventOf(row, body.type, now)
  return { ok: true, event, ...(await publishSourceEvent(store, event, `test_${randomUUID()}`)) }
}

function eventOf(row: CustomSourceRow, type: SourceEvent['type'], now: Date): SourceEvent {
  const common = { source: row.fullname, at: now.toISOString() }
  if (type === 'error') {
    const message = `Test: the source "${row.fullname}" is in error.`
    return { type, status: 'error', previousStatus: row.status.status, severity: 'error', message, ...common }
  }
  const message = `Test: the source "${row.fullname}" has recovered.`
  return { type, status: 'running', previousStatus: 'error', severity: 'info', message, ...common }
}
