import { Refusal } from '../domain/refusal.ts'

/** Whatever was thrown → the refusal the caller sees. What is not one of ours says nothing about our insides. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  if (typeof code === 'string') {
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('payload_too_large')
    if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupported_media_type')
    if (code === 'FST_ERR_BAD_URL') return new Refusal('not_found')
    if (isStoreAway(code)) return new Refusal('unavailable', 'The store cannot be reached right now; try again.')
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return new Refusal('invalid_json')
  if (error instanceof Error && /timeout exceeded when trying to connect|Connection terminated/.test(error.message))
    return new Refusal('unavailable', 'The store cannot be reached right now; try again.')
  return new Refusal('internal')
}

/** Connection refused or reset, PostgreSQL shutting down, starting up or out of connections. */
function isStoreAway(code: string): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '53300', '08006', '08001'].includes(code)
}
