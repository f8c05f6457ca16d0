import { hash } from 'node:crypto'

/**
 * Derives the id from the cause, so that adding the same delivery twice adds one row. Each replay is a separate cause. The
 * id starts like the id of its alert, so that rows of one time are close together in the indexes.
 */
export function deliveryId(
  alertId: string,
  resourceId: string,
  kind: 'alert' | 'retraction' | 'repeat',
  replay = 0,
): string {
  const cause = JSON.stringify([alertId, resourceId, kind, ...(replay > 0 ? [replay] : [])])
  return `dl_${alertId.slice(3, 11)}${hash('sha256', cause).slice(0, 32)}`
}
