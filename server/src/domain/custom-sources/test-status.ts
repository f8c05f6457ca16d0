import type { Handler } from '../handler.ts'
import { requireSourceLevel } from './find.ts'

/** Shows the event that such a change would be. Nobody can subscribe to status events yet, so it reaches nobody. */
export const testCustomSourceStatus: Handler<'testCustomSourceStatus'> = async ({
  account,
  params,
  body,
  store,
  now,
}) => {
  const row = await requireSourceLevel(store, account, params.fullname, 'developer')
  const changes = {
    error: {
      status: 'error',
      previousStatus: row.status.status,
      severity: 'error',
      message: `Test: the source "${row.fullname}" is in error.`,
    },
    recovered: {
      status: 'running',
      previousStatus: 'error',
      severity: 'info',
      message: `Test: the source "${row.fullname}" has recovered.`,
    },
  } as const
  const event = { type: body.type, ...changes[body.type], source: row.fullname, at: now.toISOString() }
  return { ok: true, event, matched: 0, delivered: 0 }
}
