import { invalidPayload, Refusal } from '../domain/refusal.ts'
import { ThreadsBusy, TooExpensive } from '../engine/threads/index.ts'

/**
 * Turns any thrown error into the refusal that the caller gets. An unexpected error reveals nothing of the internals.
 */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof TooExpensive) return invalidPayload([{ path: '', message: `${error.message} to check` }])
  if (error instanceof ThreadsBusy) {
    const { message, retryAfterSeconds } = error
    return new Refusal('unavailable', `${message} Try again in ${retryAfterSeconds} s.`, undefined, {
      retryAfterSeconds,
    })
  }
  const { code, statusCode, constraint } = error as { code?: unknown; statusCode?: unknown; constraint?: unknown }
  if (typeof code === 'string') {
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('payload_too_large')
    if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupported_media_type')
    if (code === 'FST_ERR_BAD_URL') return new Refusal('not_found')
    if (code === '23503') return refuseWithout(String(constraint))
    const fault = storeFaultOf(code)
    if (fault !== undefined) return storeUnavailable(`${fault} Try again later.`)
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return new Refusal('invalid_json')
  if (error instanceof Error && lostConnectionWords.test(error.message))
    return storeUnavailable(`${storeUnreachable} Try again later.`)
  return new Refusal('internal')
}

/** A row was to be added to something that was deleted after the request had found it. */
function refuseWithout(constraint: string): Refusal {
  if (/_(?:account_id|saved_by)_fkey$/.test(constraint))
    return new Refusal('unauthenticated', 'This account was deleted.')
  return new Refusal('not_found', 'Something that the request names was deleted in the meantime.')
}

const storeUnreachable = 'The store cannot be reached right now.'
/** A failover takes some seconds; a disk that is full takes longer, and another request costs little. */
const retryAfterSeconds = 5
/** Errors of `pg` that have no code. */
const lostConnectionWords =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/

/** The refusal of a request that the store cannot serve now. */
export function storeUnavailable(message = storeUnreachable): Refusal {
  return new Refusal('unavailable', message, undefined, { retryAfterSeconds })
}

/** What is wrong with the store, by the code of a failed query. Undefined if the query itself is wrong. */
export function storeFaultOf(code: unknown): string | undefined {
  if (code === '53100' || code === 'ENOSPC') return 'The store cannot write, because its disk is full.'
  if (code === '25006') return 'The store is read-only right now.'
  if (code === '53200' || code === '53400' || code === '58030') return 'The store is out of memory or disk.'
  return typeof code === 'string' && unreachableCodes.includes(code) ? storeUnreachable : undefined
}

const unreachableCodes = [
  // Refused, reset, without a route or an answer, or a name that cannot be resolved.
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
  // PostgreSQL is stopping, starting or out of connections, or the connection failed.
  ...['57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08004', '08006'],
]
