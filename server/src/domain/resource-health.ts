import type { ResourceHealth } from '@tocsin/contract'
import type * as z from 'zod'
import type { DeliveryFacts } from '../store/alerts/resource-health.ts'
import type { ResourceRow } from '../store/alerts/resource-rows.ts'

type Lane = Pick<ResourceRow, 'ready' | 'failing_since' | 'last_error' | 'last_error_at' | 'last_success_at'>
type Health = z.output<typeof ResourceHealth>

/** How deliveries to a resource go, as its lane recorded it. */
export function healthOf(lane: Lane): Health {
  const { ready, last_error: error, last_success_at: successAt } = lane
  const failingSince = failingSinceOf(lane)
  return {
    state: !ready ? 'off' : failingSince ? 'failing' : successAt ? 'working' : 'unused',
    ...(failingSince && { failingSince: failingSince.toISOString() }),
    ...(failingSince && error !== null && { lastError: error }),
    ...(successAt && { lastSuccessAt: successAt.toISOString() }),
  }
}

/** The same, with the last attempt, the counts of a day and the queue. */
export function fullHealthOf(lane: Lane, facts: DeliveryFacts | undefined): Health {
  if (!facts) return healthOf(lane)
  const { delivered, failed, failedAttempts, queue, lastAttempt } = facts
  const attempts = delivered + failedAttempts
  const nextAttemptAt = nextAttemptOf(facts)
  return {
    ...healthOf(lane),
    ...(lastAttempt && { lastAttempt }),
    last24h: { delivered, failed, failedAttempts, ...(attempts > 0 && { successRate: delivered / attempts }) },
    queue,
    ...(nextAttemptAt && { nextAttemptAt: nextAttemptAt.toISOString() }),
  }
}

/** A channel that refuses every message is as broken for people as one that cannot be reached. */
function failingSinceOf({ failing_since, last_error_at: errorAt, last_success_at: successAt }: Lane): Date | null {
  if (failing_since) return failing_since
  return errorAt && (successAt === null || errorAt > successAt) ? errorAt : null
}

/** A lane that pauses sends nothing before its pause ends. */
function nextAttemptOf({ nextDueAt, notBefore }: DeliveryFacts): Date | null {
  return nextDueAt && notBefore && notBefore > nextDueAt ? notBefore : nextDueAt
}
