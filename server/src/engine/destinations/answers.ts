import type { OutboundResponse } from '../outbound/door.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Sent } from './destination.ts'

const dayMs = 86_400_000

export type Answer = Pick<OutboundResponse, 'status' | 'headers' | 'text'>

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Reads the result of an HTTP answer by the standard meaning of its status. */
export function sentFromAnswer({ status, headers, text }: Answer, url: string, now: Date): Sent {
  const answer = { headers, text }
  if (isSuccess(status)) return { kind: 'sent', status, answer }
  const { host } = new URL(url)
  if (status === 410)
    return { kind: 'gone', status, reason: `${host} answered 410: the webhook no longer exists.`, answer }
  const reason = `${host} answered ${status}.`
  const afterMs = retryAfterMs(headers['retry-after'], now)
  return { kind: 'later', status, reason, answer, ...(afterMs !== undefined && { afterMs }) }
}

/** A refused address stays refused. Any other error may pass. */
export function sentFromError(error: unknown): Sent {
  if (!(error instanceof UpstreamError)) throw error
  return error.kind === 'refused' ? { kind: 'never', reason: error.message } : { kind: 'later', reason: error.message }
}

/** Reads seconds or a date. At most one day, since a longer pause is hardly intended. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), dayMs) : undefined
}
