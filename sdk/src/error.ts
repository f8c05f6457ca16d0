import type { ErrorBody, ErrorCode, Issue } from '@tocsin/contract'

/** A refusal of the API, with its code and details. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** `unreadable` if the answer is not one of the API, for example the error page of a proxy. */
  readonly code: ErrorCode | 'unreadable'
  readonly details: Record<string, unknown> | undefined
  /** The fields that the service refused, each with its path and a message. */
  readonly issues: readonly Issue[]
  /** The log of the service has the same id. */
  readonly requestId: string | undefined
  /** How long the service asks to wait before the next try. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, body: unknown, headers?: Headers) {
    const error = (body as Partial<ErrorBody> | undefined)?.error
    super(error?.message ?? `The server answered ${status} without a reason.`)
    this.status = status
    this.code = error?.code ?? 'unreadable'
    this.details = error?.details
    this.issues = issuesIn(error?.details)
    this.requestId = error?.requestId ?? headers?.get('x-request-id') ?? undefined
    this.retryAfterMs = readRetryAfter(headers?.get('retry-after') ?? '', Date.now())
  }
}

/** No answer arrived: the server could not be reached, or the connection broke. `cause` is the error of `fetch`. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
}

/** No answer arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

function issuesIn(details: Record<string, unknown> | undefined): Issue[] {
  return Array.isArray(details?.issues) ? details.issues.filter(isIssue) : []
}

function isIssue(value: unknown): value is Issue {
  const issue = value as Partial<Issue> | null | undefined
  return typeof issue?.path === 'string' && typeof issue.message === 'string'
}

/** A number of seconds or a date, as HTTP allows both. */
function readRetryAfter(text: string, nowMs: number): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
