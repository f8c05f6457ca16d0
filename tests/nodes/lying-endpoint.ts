import { type Call, faultyEndpoint } from './faulty-endpoint.ts'

/** Gets the true reply and returns the reply that is sent instead. */
export type Change = (truth: unknown, params: unknown[]) => unknown

/** A proxy in front of a real node that changes its replies to some methods. */
export function lyingEndpoint(url: string, method: RegExp, change: Change) {
  return faultyEndpoint(url, async (call) => {
    if (!method.test(call.method)) return undefined
    const { result, error } = await askNode(url, call)
    return error ? { error } : { result: change(result, call.params) }
  })
}

export async function askNode(url: string, call: Call): Promise<{ result?: unknown; error?: object }> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...call }) })
  return (await response.json()) as { result?: unknown; error?: object }
}

export const say =
  (value: unknown): Change =>
  () =>
    value

/** Replaces the value at a dotted path of the reply if there is one; undefined removes it. */
export function put(path: string, value: unknown): Change {
  return (truth) => {
    const answer = structuredClone(truth)
    const steps = path.split('.')
    const last = steps.pop() ?? ''
    const owner = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], answer)
    if (typeof owner === 'object' && owner !== null) Object.assign(owner, { [last]: value })
    return answer
  }
}

/** Cuts hex text at a whole byte. */
export function cutAt(share: number): Change {
  return (truth) => {
    const hex = String(truth)
    return hex.slice(0, 2 + 2 * Math.floor(((hex.length - 2) / 2) * share))
  }
}

/** Changes only replies to calls with this parameter. */
export function where(isMeant: (params: unknown[]) => boolean, change: Change): Change {
  return (truth, params) => (isMeant(params) ? change(truth, params) : truth)
}
