/** The bytes are not HTTP/1.1, or can be read in more than one way. */
export class InvalidHttp extends Error {
  readonly code: 'HPE_INVALID' | 'UND_ERR_HEADERS_OVERFLOW'
  constructor(code: InvalidHttp['code'] = 'HPE_INVALID') {
    super('invalid HTTP')
    this.code = code
  }
}

export const headBytesMax = 16 * 1024
const headEnd = Buffer.from('\r\n\r\n')

/** `isOldVersion`: HTTP/1.0, which closes the connection unless it says otherwise. `bytes` is the length of the head. */
type Head = { status: number; headers: Record<string, string>; isOldVersion: boolean; bytes: number }

/** Parses the status line and the headers. Undefined if the head is not complete yet. */
export function readHead(unread: Buffer): Head | undefined {
  const end = unread.indexOf(headEnd)
  if ((end < 0 ? unread.length : end) > headBytesMax) throw new InvalidHttp('UND_ERR_HEADERS_OVERFLOW')
  if (end < 0) return undefined
  const lines = unread.toString('latin1', 0, end).split('\r\n')
  const [, minor, status] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(lines[0] ?? '') ?? []
  if (status === undefined || status === '101') throw new InvalidHttp()
  return {
    status: Number(status),
    headers: readHeaders(lines.slice(1)),
    isOldVersion: minor === '0',
    bytes: end + headEnd.length,
  }
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name)) throw new InvalidHttp()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}
