import type { SourceStatus } from '../../store/core/tables.ts'

/** After every save and restart a source waits for its runtime. */
export function pendingStatus(before: SourceStatus | undefined, now: Date): SourceStatus {
  return { status: 'pending', ...(before && { previousStatus: before.status }), updatedAt: now.toISOString() }
}
