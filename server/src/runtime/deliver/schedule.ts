import { makeIso } from '../../engine/base/iso-time.ts'
import type { Sent } from '../../engine/destinations/index.ts'
import type { PendingDelivery, SettledDelivery } from '../../store/alerts/deliveries.ts'
import type { DeliveryAttempt } from '../../store/core/tables.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** What lies between one attempt and the next: twelve in about a day. */
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
/** A lane that rests for all of its messages keeps some of them from their attempts; they do not wait for ever. */
export const ageMaxMs = 36 * hour
/** What failed together does not come back together. */
const jitter = 0.2
export const errorLengthMax = 500

export type Tried = { delivery: PendingDelivery; outcome: Sent; at: Date; durationMs: number }
export type Chance = () => number

const isoOf = makeIso()

/** An attempt as it is kept. */
export function attemptOf({ outcome, at, durationMs }: Tried): DeliveryAttempt {
  return { at: isoOf(at.getTime()), ok: outcome.kind === 'sent', durationMs, ...told(outcome) }
}

/** What an attempt makes of a delivery. */
export function settled(attempted: Tried, chance: Chance): SettledDelivery {
  const { delivery, outcome, at } = attempted
  const tried = {
    id: delivery.id,
    attempts: [...(delivery.attempts ?? []), attemptOf(attempted)],
    attemptsCount: delivery.attempts_count + 1,
    sent: outcome.kind === 'sent' ? (outcome.reference ?? null) : null,
    mayHaveArrived: outcome.kind === 'later' && (outcome.status === undefined || outcome.status >= 500),
  }
  if (outcome.kind === 'sent') return { ...tried, status: 'delivered', dueAt: at }
  const delayMs = outcome.kind === 'later' ? retryDelayMs(delivery, outcome.afterMs, at, chance) : undefined
  if (delayMs === undefined) return { ...tried, status: 'dead', dueAt: at }
  return { ...tried, status: 'pending', dueAt: new Date(at.getTime() + delayMs) }
}

/** Asked to come back later, by a channel that counts: no failure of this message, and no attempt of the twelve. */
export function postponed({ delivery, at }: Tried, afterMs: number): SettledDelivery {
  const { id, attempts_count: attemptsCount } = delivery
  const attempts = delivery.attempts ?? []
  const dueAt = new Date(at.getTime() + afterMs)
  return { id, attempts, attemptsCount, sent: null, mayHaveArrived: false, status: 'pending', dueAt }
}

function retryDelayMs(delivery: PendingDelivery, afterMs = 0, at: Date, chance: Chance): number | undefined {
  const stepMs = retryDelaysMs[delivery.attempts_count]
  if (stepMs === undefined || at.getTime() - delivery.createdMs > ageMaxMs) return undefined
  return Math.max(afterMs, Math.round(stepMs * (1 - jitter + 2 * jitter * chance())))
}

function told(outcome: Sent): Pick<DeliveryAttempt, 'status' | 'error'> {
  return {
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(outcome.kind !== 'sent' && { error: outcome.reason.slice(0, errorLengthMax) }),
  }
}
