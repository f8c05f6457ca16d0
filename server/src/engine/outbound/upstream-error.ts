/** A remote server failed or gave an invalid answer. The message is for the tenant; it is never a bug of the service. */
export class UpstreamError extends Error {
  readonly kind: 'refused' | 'timeout' | 'failed' | 'too_large' | 'bad_answer'
  constructor(kind: UpstreamError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

type CallInfo = { host: string; timeoutMs: number; isTimedOut: boolean }

/** Turns any error of a call into a message that names the host. It never contains the rest of the URL, which may be secret. */
export function upstreamError(error: unknown, { host, timeoutMs, isTimedOut }: CallInfo): UpstreamError {
  if (error instanceof UpstreamError) return error
  const code = codeOf(error)
  const cause = error instanceof Error ? error.cause : undefined
  if (isTimedOut || timeouts.has(code))
    return new UpstreamError('timeout', `${host} did not answer within ${timeoutMs} ms.`)
  if (cause instanceof UpstreamError) return cause
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError'))
    return new UpstreamError('bad_answer', `${host} did not answer in HTTP.`)
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code === 'ERR__ERROR_FORMAT_PADDING_1')
    return new UpstreamError('bad_answer', `${host} sent a body that cannot be decompressed.`)
  const known = messages[code]
  if (known) return new UpstreamError(known[0], known[1].replace('HOST', host))
  if (isTls(code)) return new UpstreamError('failed', `No secure connection to ${host} could be made (${code}).`)
  if (cause !== undefined) return upstreamError(cause, { host, timeoutMs, isTimedOut })
  return new UpstreamError('failed', `The call to ${host} failed${code ? ` (${code})` : ''}.`)
}

const timeouts = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ABORT_ERR',
])

const messages: Readonly<Record<string, [UpstreamError['kind'], string]>> = {
  ENOTFOUND: ['failed', 'The name of HOST does not exist.'],
  ENODATA: ['failed', 'The name of HOST has no address.'],
  EAI_AGAIN: ['failed', 'The name of HOST could not be looked up.'],
  ESERVFAIL: ['failed', 'The name of HOST could not be looked up.'],
  ETIMEOUT: ['failed', 'The name of HOST could not be looked up in time.'],
  EBADNAME: ['failed', 'HOST is not a name that can be looked up.'],
  ECONNREFUSED: ['failed', 'HOST refused the connection.'],
  ECONNRESET: ['failed', 'HOST closed the connection.'],
  EPIPE: ['failed', 'HOST closed the connection.'],
  UND_ERR_SOCKET: ['failed', 'HOST closed the connection.'],
  EHOSTUNREACH: ['failed', 'HOST cannot be reached.'],
  ENETUNREACH: ['failed', 'HOST cannot be reached.'],
  EADDRNOTAVAIL: ['failed', 'HOST cannot be reached.'],
  UND_ERR_HEADERS_OVERFLOW: ['bad_answer', 'HOST sent headers that are too long.'],
  UND_ERR_INVALID_ARG: ['failed', 'The request to HOST cannot be sent: a header or the method is not valid.'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['bad_answer', 'HOST sent a body that does not have its declared length.'],
}

function isTls(code: string): boolean {
  return /^(ERR_(TLS|SSL)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/.test(code)
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
