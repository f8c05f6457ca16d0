import { makeIsoFormatter } from '../../engine/base/iso-time.ts'
import type { Exchange, Sent } from '../../engine/destinations/index.ts'
import type { DeliveryResult, PendingDelivery } from '../../store/alerts/deliveries.ts'
import type { DeliveryAttempt } from '../../store/core/tables.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The delays between attempts: twelve attempts in about a day. */
export const retryDelaysMs = [
  5 * second,
  15 * second,
  minute,
  3 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  10 * hour,
] as const
export const attemptsMax = retryDelaysMs.length + 1
/** While a lane pauses as a whole, some deliveries get no attempt. This age ends them even so. */
export const ageMaxMs = 36 * hour
/** Spreads the retries of deliveries that failed at the same time. */
const jitter = 0.2
export const errorLengthMax = 500

/** A delivery after one attempt to send it. */
export type Attempted = {
  delivery: PendingDelivery
  outcome: Sent
  at: Date
  durationMs: number
  exchange?: Exchange
}
/** A number between 0 and 1. */
export type Random = () => number

const isoOf = makeIsoFormatter()

/** The attempt without what was sent and answered. */
export function attemptOf({ outcome, at, durationMs }: Attempted): DeliveryAttempt {
  const attempt: DeliveryAttempt = { at: isoOf(at.getTime()), ok: outcome.kind === 'sent', durationMs }
  if (outcome.status !== undefined) attempt.status = outcome.status
  if (outcome.note !== undefined) attempt.note = outcome.note.slice(0, errorLengthMax)
  if (outcome.kind !== 'sent') attempt.error = outcome.reason.slice(0, errorLengthMax)
  return attempt
}

/** All attempts of a delivery. Only the last one has its request, because the requests of a delivery hardly differ. */
function attemptsAfter(attempted: Attempted): DeliveryAttempt[] {
  const earlier = (attempted.delivery.attempts ?? []).map(({ request: _request, ...attempt }) => attempt)
  return [...earlier, { ...attemptOf(attempted), ...attempted.exchange }]
}

/** The delivery after the attempt: delivered, pending with the time of the next attempt, or dead. */
export function deliveryAfter(attempted: Attempted, random: Random): DeliveryResult {
  const { delivery, outcome, at } = attempted
  const common = {
    id: delivery.id,
    attempts: attemptsAfter(attempted),
    attemptsCount: delivery.attempts_count + 1,
    // A correction of one alert must not change the message that tells of many.
    sent: outcome.kind === 'sent' && !delivery.folded ? (outcome.reference ?? null) : null,
    mayHaveArrived: outcome.kind === 'later' && (outcome.status === undefined || outcome.status >= 500),
  }
  if (outcome.kind === 'sent') return { ...common, status: 'delivered', dueAt: at }
  const delayMs = outcome.kind === 'later' ? retryDelayMs(delivery, outcome.afterMs, at, random) : undefined
  if (delayMs === undefined) return { ...common, status: 'dead', dueAt: at }
  return { ...common, status: 'pending', dueAt: new Date(at.getTime() + delayMs) }
}

/** The delivery after the channel's rate limit refused it. That is no failure, so it does not count as an attempt. */
export function postponedDelivery({ delivery, at }: Attempted, afterMs: number): DeliveryResult {
  const { id, attempts_count: attemptsCount } = delivery
  const attempts = delivery.attempts ?? []
  const dueAt = new Date(at.getTime() + afterMs)
  return { id, attempts, attemptsCount, sent: null, mayHaveArrived: false, status: 'pending', dueAt }
}

/** True if a failed attempt is followed by another one. */
export function mayRetry({ attempts_count, createdMs }: PendingDelivery, at: Date): boolean {
  return attempts_count < retryDelaysMs.length && at.getTime() - createdMs <= ageMaxMs
}

function retryDelayMs(delivery: PendingDelivery, afterMs = 0, at: Date, random: Random): number | undefined {
  const stepMs = retryDelaysMs[delivery.attempts_count]
  if (stepMs === undefined || !mayRetry(delivery, at)) return undefined
  return Math.max(afterMs, Math.round(stepMs * (1 - jitter + 2 * jitter * random())))
}
