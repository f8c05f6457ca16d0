import type { ErrorCode } from '@tocsin/contract'
import { ApiError } from '@tocsin/sdk'
import { expect } from 'vitest'

/** Expects that the call is refused with this code (and these details), and returns the error. */
export async function rejects(
  call: Promise<unknown>,
  expected: { code: ErrorCode; status?: number; details?: Record<string, unknown> },
): Promise<ApiError> {
  const error = await call.then(
    (answer) => new Error(`expected ${expected.code}, but it was answered ${JSON.stringify(answer)?.slice(0, 300)}`),
    (error: unknown) => error,
  )
  if (!(error instanceof ApiError)) throw error
  expect({ code: error.code, message: error.message }).toMatchObject({ code: expected.code })
  if (expected.status !== undefined) expect(error.status).toBe(expected.status)
  if (expected.details !== undefined) expect(error.details).toMatchObject(expected.details)
  return error
}
