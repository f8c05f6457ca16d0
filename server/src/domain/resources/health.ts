import type { ResourceHealth } from '@tocsin/contract'
import type * as z from 'zod'
import type { ResourceRow } from '../../store/alerts/resource-rows.ts'

/** How deliveries to a resource go. The lane of the resource has recorded it; this code counts nothing. */
export function healthOf(row: ResourceRow): z.output<typeof ResourceHealth> {
  const { ready, last_error: error, last_success_at: successAt } = row
  const failingSince = failingSinceOf(row)
  return {
    state: !ready ? 'off' : failingSince ? 'failing' : successAt ? 'working' : 'unused',
    ...(failingSince && { failingSince: failingSince.toISOString() }),
    ...(failingSince && error !== null && { lastError: error }),
    ...(successAt && { lastSuccessAt: successAt.toISOString() }),
  }
}

/** A channel that refuses every message is as broken for people as one that cannot be reached. */
function failingSinceOf({
  failing_since,
  last_error_at: errorAt,
  last_success_at: successAt,
}: ResourceRow): Date | null {
  if (failing_since) return failing_since
  return errorAt && (successAt === null || errorAt > successAt) ? errorAt : null
}
