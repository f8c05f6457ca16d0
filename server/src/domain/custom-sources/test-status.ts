import { randomUUID } from 'node:crypto'
import type { SourceEvent } from '../../engine/sources/source-event.ts'
import type { CustomSourceRow } from '../../store/following/custom-sources.ts'
import type { Handler } from '../handler.ts'
import { requireSourceLevel } from './find.ts'

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
