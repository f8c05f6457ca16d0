import { randomUUID } from 'node:crypto'
import type { MemberResourceRow } from '../../store/alerts/resource-rows.ts'
import type { Handler } from '../handler.ts'
import { sendTest } from '../send-test.ts'
import { requireResourceLevel } from './find.ts'

const message = {
  title: 'Test message',
  short: 'This destination receives alerts of Tocsin. This message is a test.',
}

/** Sends one real message that is marked as a test, and returns the receiver's response. Nothing is recorded. */
export const testResource: Handler<'testResource'> = async ({ account, params, store, testLimits, engine, now }) => {
  const row = await requireResourceLevel(store, account, params.fullname, 'admin')
  const send = async () => {
    const deps = { ...engine.channels, clock: () => now }
    const startedMs = performance.now()
    // A resource that failures switched off can be tested too, because people test it before they switch it on again.
    const sendWhenOff = row.failing_since !== null
    const sent = await sendTest({ store, deps, sendWhenOff }, row.id, message, contextOf(row, now))
    return {
      ok: sent.kind === 'sent',
      ...(sent.status !== undefined && { status: sent.status }),
      durationMs: Math.round(performance.now() - startedMs),
      ...(sent.kind !== 'sent' && { error: sent.reason }),
      ...(sent.note !== undefined && { note: sent.note }),
      at: now.toISOString(),
      ...sent.exchange,
    }
  }
  return testLimits.run(account.id, now, send, row.workspace)
}

function contextOf({ workspace, project }: MemberResourceRow, createdAt: Date) {
  const json = { rawJson: '{}', humanJson: '{}' }
  const alertId = `test_${randomUUID()}`
  return {
    alertId,
    workspace,
    project: project ?? '',
    trigger: 'test',
    severity: 'info' as const,
    state: null,
    backfilled: false,
    ...json,
    createdAt,
  }
}
