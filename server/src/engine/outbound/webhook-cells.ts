import type { QueuedWebhook } from './door.ts'

/**
 * Webhooks on their way to the sender thread, as one flat array, because it is cheaper to send than objects. Each webhook takes
 * a cell for its number, id, timestamp and number of parts, and one for each part of its body. A part that was there before
 * in the same body is the place of the first: most bodies have the longest text twice.
 */
export type WebhookCells = (number | string)[]
export type NumberedWebhook = { number: number; id: string; timestamp: string; body: string }

export function addWebhook(cells: WebhookCells, number: number, { id, timestamp, parts }: QueuedWebhook): void {
  cells.push(number, id, timestamp, parts.length)
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const first = parts.indexOf(part)
    cells.push(first < at ? first : part)
  }
}

export function* readWebhooks(cells: WebhookCells): Iterable<NumberedWebhook> {
  for (let at = 0; at < cells.length; ) {
    const [number, id, timestamp, count] = cells.slice(at, at + 4) as [number, string, string, number]
    const parts = cells.slice(at + 4, at + 4 + count)
    const body = parts.map((part) => (typeof part === 'number' ? parts[part] : part)).join('')
    yield { number, id, timestamp, body }
    at += 4 + count
  }
}
