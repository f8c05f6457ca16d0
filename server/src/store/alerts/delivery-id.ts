import { hash } from 'node:crypto'

/**
 * A delivery is named by its cause: the same one twice is one row. A replay is another cause, by its number. It begins as
 * its alert does, so that both stand beside their neighbours in the indexes.
 */
export function deliveryId(alertId: string, resourceId: string, kind: 'alert' | 'retraction', replay = 0): string {
  const cause = JSON.stringify([alertId, resourceId, kind, ...(replay > 0 ? [replay] : [])])
  return `dl_${alertId.slice(3, 11)}${hash('sha256', cause).slice(0, 32)}`
}
