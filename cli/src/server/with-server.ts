import { ApiError, ConnectionError } from '@tocsin/sdk'
import { Failure } from '../failure.ts'

/** Calls the server and turns what can go wrong on the way to it into sentences. */
export async function withServer<Result>(url: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ApiError) throw explain(url, error)
    if (error instanceof ConnectionError) throw unreachable(url, error)
    throw error
  }
}

function explain(url: string, error: ApiError): Error {
  if (error.status === 401)
    return new Failure('unauthenticated', `${url} does not accept the token. Run \`tocsin login\` with a new one.`)
  if (error.code === 'unreadable')
    return new Failure(
      'unreadable',
      `${url} answered ${error.status}, but not as a Tocsin server does. Check the address.`,
    )
  return error
}

/** `fetch` says only that it failed; the reason is in its cause. */
function unreachable(url: string, error: Error): Failure {
  const cause = rootCause(error)
  const reason = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  return new Failure('unreachable', `${url} cannot be reached (${reason}). Check the address and the network.`)
}

function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error
}
