import { within } from '../base/deadline.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'

/** Limits the total time of work that makes many calls to a source. */
export function withinSourceTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const message = `The source answered too slowly: this took longer than ${timeoutMs / 1000} s.`
  return within(work, timeoutMs, () => new UpstreamError('timeout', message))
}
