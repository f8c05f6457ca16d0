import type { ErrorBody, ErrorCode } from '@tocsin/contract'

/** A refusal of the API, with its code and details. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'unreadable'
  readonly details: Record<string, unknown> | undefined
  readonly requestId: string | undefined

  constructor(status: number, body: unknown) {
    const error = (body as Partial<ErrorBody> | undefined)?.error
    super(error?.message ?? `The server answered ${status} without a reason.`)
    this.status = status
    this.code = error?.code ?? 'unreadable'
    this.details = error?.details
    this.requestId = error?.requestId
  }
}
