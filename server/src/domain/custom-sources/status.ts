import type { SourceStatus } from '../../store/core/tables.ts'

/** A source waits for its runtime after every save and restart. */
export function pendingStatus(before: SourceStatus | undefined, now: Date): SourceStatus {
  return { status: 'pending', ...(before && { previousStatus: before.status }), updatedAt: now.toISOString() }
}
