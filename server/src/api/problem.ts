import { type ErrorBody, errorTable } from '@tocsin/contract'

export const problemType = 'application/problem+json'

/** An error as RFC 9457 problem details. The path of the request is not named: it can hold a token. */
export function problemOf({ error }: ErrorBody) {
  const { code, message, details, requestId } = error
  const { status, message: title } = errorTable[code]
  return {
    type: `/api/docs#error-${code}`,
    title,
    status,
    detail: message,
    instance: `urn:tocsin:request:${requestId}`,
    code,
    details,
    requestId,
  }
}
