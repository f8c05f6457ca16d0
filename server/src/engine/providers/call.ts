import type { Provider } from '@tocsin/contract'
import { readChain } from './chain-read.ts'
import type { Call } from './context.ts'
import { fetchGraphql } from './graphql.ts'
import { fetchHttp } from './http.ts'
import { callRpc } from './rpc.ts'
import { runScript } from './run-script.ts'
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
      return runScript({ kind: 'provider', source: provider.source, variables: provider.variables }, call)
    case 'state_window':
      return pushStateWindow(provider, call)
    default:
      return readChain(provider, call)
  }
}
