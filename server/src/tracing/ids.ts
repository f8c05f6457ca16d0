import { hash } from 'node:crypto'

/** The place of a span: its trace, its own id, and the id of its parent. */
export type Place = { traceId: string; spanId: string; parentId?: string | undefined }
/** What caused an item, a run, an alert or a delivery. Timers and events have no block. */
export type Cause = { source: string | null; blockHash: string | null }

/*
 * Ids are derived from what the rows of the store hold. So a process can continue the trace of another one, and the queue
 * need not carry a context: the block names the trace, and each span names its parent by the parent's cause.
 */

export function blockPlace(cause: Cause): Place | undefined {
  const { source, blockHash } = cause
  if (source === null || blockHash === null) return undefined
  const traceId = idOf(`trace ${source} ${blockHash}`, 32)
  return { traceId, spanId: idOf(`block ${traceId}`, 16) }
}

export function chunkPlace(cause: Cause, jobId: string): Place | undefined {
  const block = blockPlace(cause)
  return block && { traceId: block.traceId, spanId: idOf(`chunk ${jobId}`, 16), parentId: block.spanId }
}

/** An alert without a block begins a trace. */
export function alertPlace(cause: Cause, alertId: string, jobId?: string): Place {
  const spanId = idOf(`alert ${alertId}`, 16)
  const block = blockPlace(cause)
  if (!block) return { traceId: idOf(`trace ${alertId}`, 32), spanId }
  const parentId = jobId === undefined ? block.spanId : chunkPlace(cause, jobId)?.spanId
  return { traceId: block.traceId, spanId, parentId }
}

export function deliveryPlace(cause: Cause, alertId: string, deliveryId: string, attempt: number): Place {
  const { traceId, spanId } = alertPlace(cause, alertId)
  return { traceId, spanId: idOf(`delivery ${deliveryId} ${attempt}`, 16), parentId: spanId }
}

function idOf(text: string, length: number): string {
  return hash('sha256', text).slice(0, length)
}
