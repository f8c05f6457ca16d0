import { type ConnectOptions, UpstreamError } from '../../world.ts'
import { openRpcPool, RpcError, type RpcPool } from '../rpc-pool/index.ts'

/** The way to a network's nodes, as this folder uses it. */
export type Rpc = {
  /** `read` throws an UpstreamError at an answer that will not do; all endpoints are asked before the call fails with it. */
  ask<T>(method: string, params: unknown[], read: (answer: unknown) => T): Promise<T>
  pool: RpcPool
  endpoints: readonly string[]
}

export function openRpc(endpoints: readonly string[], options: ConnectOptions): Rpc {
  const pool = openRpcPool(endpoints, options)
  const others = endpoints.length > 1 ? endpoints : []
  return {
    pool,
    endpoints,
    async ask(method, params, read) {
      const endsAt = performance.now() + options.timeoutMs
      try {
        return read(await pool.request(method, params))
      } catch (error) {
        if (!mayAnotherKnow(error)) throw error
        for (const url of others) {
          if (performance.now() > endsAt) break
          const answer = await attempt(async () => read(await pool.perEndpoint(url).request(method, params)))
          if (answer) return answer.value
        }
        throw error
      }
    },
  }
}

async function attempt<T>(ask: () => Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await ask() }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return undefined
  }
}

/** An answer that cannot be, a block that one node has not seen, state that it has thrown away. */
function mayAnotherKnow(error: unknown): boolean {
  if (!(error instanceof RpcError)) return error instanceof UpstreamError && error.kind === 'bad_answer'
  return isForgotten(error) || isUnknownMethod(error)
}

export function isForgotten(error: unknown): boolean {
  const words = /state already discarded|unknown ?block|header (?:was )?not found|block not found|pruned|not available/i
  return error instanceof RpcError && words.test(error.message)
}

export function isUnknownMethod(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false
  return error.code === -32601 || /method not (?:found|supported|allowed)|unsafe to be called/i.test(error.message)
}
