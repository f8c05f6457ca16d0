import { RpcError, readRpcMessage, requireResult, rpcRequest } from '../outbound/json-rpc.ts'
import { type Call, ProviderFailure, type ProviderOf } from './context.ts'
import { isSuccess, lowerCase, requireSuccess } from './http.ts'

type RpcProvider = ProviderOf<'rpc'>

/** Returns `result` of a call to an endpoint that the author chose, or to the trigger's own data source. */
export async function callRpc(provider: RpcProvider, call: Call): Promise<unknown> {
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
