import type { OutboundResponse } from '../../outbound/door.ts'
import { readRpcMessage, readRpcMessages, readRpcValue, requireResult, rpcRequest } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { bytesMaxOf } from '../answer-sizes.ts'
import { Batches, type Call } from './batches.ts'
import { type Endpoint, type EndpointOptions, NotServed, SlowDown, type TakeElement } from './endpoint.ts'
import { LargeAnswer, readTimes } from './large-answers.ts'

/** Statuses that mean that the endpoint does not serve us, whatever the body says. */
const refusals: Readonly<Record<number, string>> = {
  401: 'asks for a key (HTTP 401)',
  402: 'asks for payment (HTTP 402)',
  403: 'forbids the call (HTTP 403)',
  404: 'has nothing at this address (HTTP 404)',
}

export function httpEndpoint(url: string, options: EndpointOptions): Endpoint {
  const { host } = new URL(url)
  const post = (body: string, calls: readonly Call[], timeoutMs: number) =>
    send(url, host, body, timeoutMs, { ...options, responseBytesMax: bytesMaxOfCalls(calls, options) })
  const one = async (call: Call, timeoutMs: number) => {
    const text = await post(rpcRequest(call.id, call.method, call.params), [call], timeoutMs)
    return requireResult(await readRpcMessage(text, host), host, call.id)
  }
  const many = async (calls: readonly Call[], timeoutMs: number) => {
    const body = `[${calls.map(({ id, method, params }) => rpcRequest(id, method, params)).join()}]`
    return readRpcMessages(await post(body, calls, timeoutMs), host)
  }
  const large = async (method: string, params: unknown, take: TakeElement, timeoutMs: number) => {
    const answer = new LargeAnswer(host, take, options)
    const limit = { ...options, responseBytesMax: readTimes * options.responseBytesMax }
    await send(url, host, rpcRequest(1, method, params), timeoutMs, limit, (chunk) => answer.write(chunk))
    return requireResult(readRpcValue(answer.end(), host), host, 1)
  }
  const batches = new Batches({ host, countMax: options.batchMaxCount, one, many, onRefused: options.onBatchRefused })
  const request: Endpoint['request'] = (...call) => batches.request(...call)
  return { url, request, requestLarge: large, close: async () => undefined }
}

function bytesMaxOfCalls(calls: readonly Call[], { answerSizes, responseBytesMax }: EndpointOptions): number {
  const bytes = calls.reduce((sum, { method }) => sum + bytesMaxOf(method, answerSizes), 0)
  return Math.min(responseBytesMax, bytes)
}

async function send(
  url: string,
  host: string,
  body: string,
  timeoutMs: number,
  options: EndpointOptions,
  takeBody?: (chunk: Uint8Array) => void,
) {
  const { door, responseBytesMax } = options
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const request = { method: 'POST', headers, body, timeoutMs, responseBytesMax, ...(takeBody && { takeBody }) }
  const response = await door.fetch(url, request)
  requireServed(response, host)
  return response.text
}

/** The body decides for other statuses, because some nodes send a method's own error with 400. */
function requireServed({ status, headers }: OutboundResponse, host: string): void {
  if (status === 429) throw new SlowDown(host, retryAfterMs(headers['retry-after']))
  if (status >= 500) throw new UpstreamError('failed', `${host} failed with HTTP ${status}.`)
  const refusal = refusals[status]
  if (refusal) throw new NotServed(`${host} ${refusal}.`)
}

/** The header is in seconds or a date. */
function retryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
