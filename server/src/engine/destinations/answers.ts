import type { OutboundResponse } from '../outbound/door.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Sent } from './destination.ts'

const dayMs = 86_400_000

export type Answer = Pick<OutboundResponse, 'status' | 'headers'>

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** What a channel that speaks HTTP answered, where its meaning is the protocol's own. */
export function sentFromAnswer({ status, headers }: Answer, host: string, now: Date): Sent {
  if (isSuccess(status)) return { kind: 'sent', status }
  if (status === 410) return { kind: 'gone', status, reason: `${host} answered 410: it takes no more messages.` }
  const reason = `${host} answered ${status}.`
  const afterMs = retryAfterMs(headers['retry-after'], now)
  return { kind: 'later', status, reason, ...(afterMs !== undefined && { afterMs }) }
}

/** A refused address will be refused again; everything else may pass. */
export function sentFromError(error: unknown): Sent {
  if (!(error instanceof UpstreamError)) throw error
  return error.kind === 'refused' ? { kind: 'never', reason: error.message } : { kind: 'later', reason: error.message }
}

/** Seconds or a date, at most a day: nobody means more by it. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), dayMs) : undefined
}
