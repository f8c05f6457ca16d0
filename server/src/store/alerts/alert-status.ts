import type { AlertStatus, DeliveryStatus } from '@tocsin/contract'

/**
 * The status of an alert: every state and every move is in this file. The statements of this folder take their guards
 * from it, the runtime takes the first status from it, and docs/states.md draws the table.
 *
 *   (none) ──recorded──▶ pending ◀──deliveries changed──▶ delivered, failed
 *          ──recorded for a later finality──▶ waiting ──block final──▶ pending, delivered, failed, collected
 *                                                    ──source lost──▶ failed
 *          ──recorded──▶ delivered (no resource to send to), failed (no resource was ready)
 *          ──recorded by a digest policy──▶ collected ──digest sent──▶ digested
 *   every state but retracted ──block undone──▶ retracted
 *
 * recorded            The runtime writes the alert and its deliveries in one commit.
 * block final         The block is as final as the subscription wants. In the same commit the waiting deliveries become
 *                     pending. An alert of a digest policy becomes collected.
 * source lost         Nobody follows the source any more, so nobody learns whether the block becomes final: failed.
 * deliveries changed  An attempt ended, a replay added deliveries, or deliveries of a deleted resource were dropped. The
 *                     latest delivery to each resource decides. An alert without deliveries stays as it is.
 * digest sent         The alert went out as a part of another alert.
 * block undone        A reorganisation took back the block of the alert. In the same commit the pending deliveries are
 *                     dropped, and each resource that got the alert, or may have got it, gets a retraction.
 *
 * `retracted` and `digested` have one way out or none: a digested alert can still be retracted.
 */

export type AlertEvent =
  | { kind: 'recorded'; isCollected: boolean; isWaiting?: boolean; deliveries: readonly DeliveryStatus[] }
  | { kind: 'block_final'; isCollected: boolean; deliveries: readonly DeliveryStatus[] }
  | { kind: 'deliveries_changed'; deliveries: readonly DeliveryStatus[] }
  | { kind: 'source_lost' }
  | { kind: 'digest_sent' }
  | { kind: 'block_undone' }

/** The states that an event moves an alert from; an alert in another state stays as it is. */
export const movesFrom = {
  block_final: ['waiting'],
  source_lost: ['waiting'],
  deliveries_changed: ['pending', 'delivered', 'failed'],
  digest_sent: ['collected'],
  block_undone: ['waiting', 'pending', 'delivered', 'failed', 'collected', 'digested'],
} as const satisfies Record<string, readonly AlertStatus[]>

/** The next status; undefined if the alert keeps the one it has. */
export function moveAlert(from: AlertStatus | undefined, event: AlertEvent): AlertStatus | undefined {
  if (event.kind === 'recorded') return from === undefined ? firstStatus(event) : undefined
  const states: readonly (AlertStatus | undefined)[] = movesFrom[event.kind]
  if (!states.includes(from)) return undefined
  if (event.kind === 'digest_sent') return 'digested'
  if (event.kind === 'block_undone') return 'retracted'
  if (event.kind === 'source_lost') return 'failed'
  if (event.kind === 'block_final') return firstStatus({ ...event, deliveries: event.deliveries.map(released) })
  const to = event.deliveries.length > 0 ? statusOfDeliveries(event.deliveries) : from
  return to === from ? undefined : to
}

/** An alert without a resource has nothing left to send: people read it in the list. */
export function firstStatus({
  isCollected,
  isWaiting = false,
  deliveries,
}: Omit<Extract<AlertEvent, { kind: 'recorded' }>, 'kind'>) {
  if (isWaiting) return 'waiting'
  if (isCollected) return 'collected'
  return deliveries.length > 0 ? statusOfDeliveries(deliveries) : 'delivered'
}

function released(status: DeliveryStatus): DeliveryStatus {
  return status === 'waiting' ? 'pending' : status
}

/** `deliveries.ts` has the same rule in SQL. Takes the latest delivery to each resource. */
function statusOfDeliveries(deliveries: readonly DeliveryStatus[]): 'pending' | 'delivered' | 'failed' {
  if (deliveries.includes('pending')) return 'pending'
  return deliveries.includes('dead') || !deliveries.includes('delivered') ? 'failed' : 'delivered'
}
