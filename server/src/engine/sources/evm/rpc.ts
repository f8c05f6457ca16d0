import { UpstreamError } from '../../world.ts'
import { RpcError, type RpcPool } from '../rpc-pool/index.ts'

/** The way to a network's nodes, as this folder uses it. */
export type Rpc = {
  /** `accept` throws an UpstreamError at an answer that will not do; all endpoints are asked before the call fails with it. */
  request(method: string, params: unknown[], accept?: Accept): Promise<unknown>
}
type Accept = (answer: unknown) => unknown
type Options = { timeoutMs: number; now?: () => number }
type Outcome = { answer: unknown } | { error: UpstreamError }

/** The pool asks another endpoint when one fails; this also when one answers what cannot be true, or has forgotten. */
export function checkedRpc(pool: RpcPool, endpoints: readonly string[], options: Options): Rpc {
  const { timeoutMs, now = () => performance.now() } = options
  return {
    async request(method, params, accept = () => undefined) {
      const endsAt = now() + timeoutMs
      const first = await attempt(() => pool.request(method, params))
      const outcome = 'answer' in first ? judge(first.answer, accept) : first
      if ('answer' in outcome) return outcome.answer
      if ('error' in first && !isOneNodesMatter(first.error)) throw first.error
      for (const url of endpoints.length > 1 ? endpoints : []) {
        if (now() > endsAt) break
        const next = await attempt(() => pool.perEndpoint(url).request(method, params))
        const judged = 'answer' in next ? judge(next.answer, accept) : next
        if ('answer' in judged) return judged.answer
      }
      throw outcome.error
    },
  }
}

async function attempt(ask: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { answer: await ask() }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { error }
  }
}

function judge(answer: unknown, accept: Accept): Outcome {
  try {
    accept(answer)
    return { answer }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { error }
  }
}

/** The pool takes a method's own error for the network's word; these two are a single node's. */
function isOneNodesMatter(error: UpstreamError): boolean {
  return isUnknownMethod(error) || isForgotten(error)
}

/** Nodes differ in the code, and some in the words too. */
export function isUnknownMethod(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false
  const words = /\bmethod\b.*(?:not (?:found|supported|available|exist|allowed)|unsupported|unavailable)/i
  return error.code === -32601 || error.code === -32004 || words.test(saidBy(error))
}

const forgotten = [
  /missing trie node|header not found|block not found|unknown block|pruned|archive/i,
  /histor\w* state|state.{0,20}(?:not available|unavailable|not found)|no state available|world state/i,
  /distance to target block|block is too old/i,
]

/** A node that keeps recent state only, or has not come as far as the block, in the words of the common clients. */
export function isForgotten(error: unknown): boolean {
  return error instanceof RpcError && forgotten.some((words) => words.test(saidBy(error)))
}

/** The node's own words, without the name of its host, which may well be `archive`. */
export function saidBy({ message }: RpcError): string {
  return message.replace(/^\S+ answered: /, '')
}
