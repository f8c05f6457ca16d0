import { type ErrorCode, errorTable, type Issue } from '@tocsin/contract'

/**
 * A refusal of a request: a code from the error table, a message, and the details that the caller needs to correct the
 * request.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | undefined
  /** The number of seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message?: string,
    details?: Record<string, unknown>,
    options: { retryAfterSeconds?: number } = {},
  ) {
    super(message ?? errorTable[code].message)
    this.code = code
    this.details = details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export function invalidPayload(issues: Issue[]): Refusal {
  const first = issues[0]
  const sentence = first && `The payload is not valid: ${first.path || 'body'}: ${first.message.replace(/\.$/, '')}.`
  return new Refusal('invalid_payload', sentence, { issues })
}

export function invalidQuery(issues: Issue[]): Refusal {
  const first = issues[0]
  return new Refusal('invalid_query', first && `The query is not valid: ${first.path}: ${first.message}.`, { issues })
}

export function notFound(message?: string): Refusal {
  return new Refusal('not_found', message)
}
