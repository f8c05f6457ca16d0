import { randomUUID } from 'node:crypto'
import { type SourceEvent, sourceEventJobs, takersOf } from '../../runtime/events/source-events.ts'
import { addJobs } from '../../runtime/follow/index.ts'
import { loadStream } from '../../runtime/listeners/index.ts'
import type { CustomSourceRow } from '../../store/following/custom-sources.ts'
import type { Handler } from '../handler.ts'
import { requireSourceLevel } from './find.ts'

/**
 * The event that such a change would be goes to those who subscribed to the source's events, as a real one does.
 * `matched` counts their subscriptions, `delivered` the resources that they are handed to; the status stays as it is.
 */
export const testCustomSourceStatus: Handler<'testCustomSourceStatus'> = async (context) => {
  const { account, params, body, store, engine, settings, now } = context
  const row = await requireSourceLevel(store, account, params.fullname, 'developer')
  const event = eventOf(row, body.type, now)
  const listeners = await loadStream({ store, engine, networks: settings.networks }, `${row.fullname}.events`)
  const told = takersOf(listeners, event).flatMap(({ trigger, keys }) => keys.map((key) => trigger.listeners.get(key)))
  await store.tx((store) => addJobs(store, [sourceEventJobs(listeners, event, `test_${randomUUID()}`)]))
  const delivered = told.reduce((sum, listener) => sum + (listener?.resources.length ?? 0), 0)
  return { ok: true, event, matched: told.length, delivered }
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
