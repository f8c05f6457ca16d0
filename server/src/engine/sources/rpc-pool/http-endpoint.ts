import { readRpcMessage, resultOf, rpcRequest } from '../../json-rpc.ts'
import { type OutboundResponse, UpstreamError } from '../../world.ts'
import { type Endpoint, type EndpointOptions, SlowDown } from './endpoint.ts'

/** What says that this endpoint will not serve, whatever its body adds. */
const refusals: Readonly<Record<number, string>> = {
  401: 'asks for a key (HTTP 401)',
  402: 'asks for payment (HTTP 402)',
  403: 'forbids the call (HTTP 403)',
  404: 'has nothing at this address (HTTP 404)',
}

export function httpEndpoint(url: string, { door, responseBytesMax }: EndpointOptions): Endpoint {
  const { host } = new URL(url)
  let lastId = 0
  return {
    url,
    async request(method, params, timeoutMs) {
      lastId += 1
      // Others ask meanwhile; this one goes on with its own number.
      const id = lastId
      const response = await door.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: rpcRequest(id, method, params),
        timeoutMs,
        responseBytesMax,
      })
      requireServed(response, host)
      return resultOf(readRpcMessage(response.text, host), host, id)
    },
    close: async () => undefined,
  }
}

/** Other statuses are left to the body: some nodes send a method's own error with 400. */
function requireServed({ status, headers }: OutboundResponse, host: string): void {
  if (status === 429) throw new SlowDown(host, retryAfterMs(headers['retry-after']))
  if (status >= 500) throw new UpstreamError('failed', `${host} failed with HTTP ${status}.`)
  const refusal = refusals[status]
  if (refusal) throw new UpstreamError('failed', `${host} ${refusal}.`)
}

/** Seconds, or a date. */
function retryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
