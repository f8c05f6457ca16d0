import type { Provider } from '@tocsin/contract'
import { readChain } from './chain-read.ts'
import { type Call, ProviderFailure, type ProviderOf } from './context.ts'
import { fetchGraphql } from './graphql.ts'
import { fetchHttp } from './http.ts'
import { callRpc } from './rpc.ts'
import { pushStateWindow } from './state-window/index.ts'

export function callProvider(provider: Provider, call: Call): Promise<unknown> {
  switch (provider.type) {
    case 'http':
      return fetchHttp(provider, call)
    case 'graphql':
      return fetchGraphql(provider, call)
    case 'rpc':
      return callRpc(provider, call)
    case 'javascript':
      return runJavascript(provider, call)
    case 'state_window':
      return pushStateWindow(provider, call)
    default:
      return readChain(provider, call)
  }
}

async function runJavascript(provider: ProviderOf<'javascript'>, call: Call): Promise<unknown> {
  const { context, values } = call
  const scope = { source: context.source, inputs: context.inputs, providers: values, variables: provider.variables }
  const script = { kind: 'provider' as const, source: provider.source }
  const [result] = await context.scripts.run(script, [scope], { nowMs: context.nowMs })
  for (const entry of result?.logs ?? []) call.log(entry)
  if (!result) throw new Error('the script run returned no result')
  if (result.ok) return result.value
  const position = result.line === undefined ? '' : ` (line ${result.line})`
  const isTransient = result.kind === 'overloaded' || result.kind === 'crash'
  throw new ProviderFailure(`${result.message}${position}`, isTransient)
}
