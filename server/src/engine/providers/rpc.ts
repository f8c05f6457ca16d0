import { isObject } from '../base/json.ts'
import { RpcError, readRpcMessage, requireResult, rpcRequest } from '../outbound/json-rpc.ts'
import { isReadingMethod } from '../sources/chains.ts'
import { type Call, ProviderFailure, type ProviderOf } from './context.ts'
import { describeTarget } from './describe.ts'
import { checkTarget, isSuccess, lowerCase, requireSuccess } from './http.ts'
import { providerRules } from './rules.ts'

type RpcProvider = ProviderOf<'rpc'>

export const rpc = providerRules('rpc', (provider) => {
  const { transport, method, params = [] } = provider
  const isEndpoint = provider.transport === 'endpoint'
  return {
    call: (call) => callRpc(provider, call),
    describe: () => ({ transport, method, params, ...(isEndpoint && describeTarget(provider)) }),
    check: (path) => (isEndpoint ? checkTarget(provider, path) : []),
    // An unknown method may write. And a method that a source allows only to its own workspace must not be shared with others.
    isRead: isReadingMethod(calledMethod(provider)),
    weight: isEndpoint ? 2 : 1,
  }
})

/** A `body` replaces the request for `method`. Empty if the body does not name one method. */
function calledMethod(provider: RpcProvider): string {
  if (provider.transport === 'source' || provider.body === undefined) return provider.method
  return isObject(provider.body) ? String(provider.body.method) : ''
}

/** Returns `result` of a call to an endpoint that the author chose, or to the trigger's own data source. */
async function callRpc(provider: RpcProvider, call: Call): Promise<unknown> {
  if (provider.transport === 'endpoint') return callEndpoint(provider, call)
  const connection = await call.context.connection(undefined)
  return connection.request(provider.method, provider.params ?? [])
}

async function callEndpoint(provider: Extract<RpcProvider, { transport: 'endpoint' }>, call: Call): Promise<unknown> {
  const { url, method, params, headers = {}, body } = provider
  const response = await call.context.door.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...lowerCase(headers) },
    body: body === undefined ? rpcRequest(1, method, params) : asJson(body),
    timeoutMs: call.timeoutMs,
    responseBytesMax: call.responseBytesMax,
  })
  const { host } = new URL(response.url)
  // Some nodes send an error of a method with an HTTP error status. The JSON-RPC message is more useful than the status.
  if (!/^\s*\{/.test(response.text)) requireSuccess(response)
  try {
    return requireResult(await readRpcMessage(response.text, host), host, body === undefined ? 1 : undefined)
  } catch (error) {
    if (isSuccess(response.status) || !(error instanceof RpcError)) throw error
    throw new ProviderFailure(error.message, false, true)
  }
}

function asJson(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}
