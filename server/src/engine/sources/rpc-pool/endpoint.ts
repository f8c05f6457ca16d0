import { RpcError } from '../../json-rpc.ts'
import { type Door, UpstreamError } from '../../world.ts'

export type EndpointOptions = { door: Door; responseBytesMax: number }

/** One address that speaks JSON-RPC. What it throws is an UpstreamError, and an RpcError when the method itself failed. */
export type Endpoint = {
  url: string
  request(method: string, params: unknown, timeoutMs: number): Promise<unknown>
  close(): Promise<void>
}

/** The endpoint asks to be left alone for a while. */
export class SlowDown extends UpstreamError {
  readonly retryAfterMs: number | undefined
  constructor(host: string, retryAfterMs: number | undefined) {
    super('failed', `${host} asks to slow down (HTTP 429).`)
    this.retryAfterMs = retryAfterMs
  }
}

/** Limits and lagging nodes: -32005 (limit, or a Solana node behind), -32016 (rate; context slot), and providers' own. */
const overloadCodes = new Set([-32005, -32016, -32029, -32090, -32097, 429, -429])
const overloadWords = /rate.?limit|too many requests|request limit|compute units|quota|over capacity|overloaded/i
/** The same codes also say that one answer would be too large, which asking elsewhere does not cure. */
const sizeWords = /range|results|response size|logs matched|limited to/i

/** Whether an error tells about the endpoint, so that another one may do better, and not about the request. */
export function isEndpointsFault(error: UpstreamError): boolean {
  if (!(error instanceof RpcError)) return true
  if (overloadWords.test(error.message)) return true
  return overloadCodes.has(error.code) && !sizeWords.test(error.message)
}
