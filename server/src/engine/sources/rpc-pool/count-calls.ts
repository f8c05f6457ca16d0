import type { RecordCall, RpcOutcome } from '../../../metrics/index.ts'
import { RpcError } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { type Endpoint, isEndpointsFault, isOverload } from './endpoint.ts'

/** The same endpoint, whose calls are counted by how they ended. */
export function countCalls(endpoint: Endpoint, record: RecordCall, now: () => number): Endpoint {
  const counted = async (method: string, ask: () => Promise<unknown>) => {
    const startedAt = now()
    try {
      const answer = await ask()
      record(method, 'ok', now() - startedAt)
      return answer
    } catch (error) {
      record(method, outcomeOf(error), now() - startedAt)
      throw error
    }
  }
  return {
    url: endpoint.url,
    request: (method, ...rest) => counted(method, () => endpoint.request(method, ...rest)),
    requestLarge: (method, ...rest) => counted(method, () => endpoint.requestLarge(method, ...rest)),
    ...(endpoint.subscribe && { subscribe: endpoint.subscribe.bind(endpoint) }),
    close: () => endpoint.close(),
  }
}

function outcomeOf(error: unknown): RpcOutcome {
  if (!(error instanceof UpstreamError)) return 'failed'
  if (isOverload(error)) return 'limited'
  if (error instanceof RpcError && !isEndpointsFault(error)) return 'error'
  return error.kind === 'timeout' ? 'timeout' : 'failed'
}
