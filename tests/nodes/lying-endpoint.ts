import { type Call, faultyEndpoint } from './faulty-endpoint.ts'

/** The true answer comes in; what comes out is answered in its place. */
export type Change = (truth: unknown, params: unknown[]) => unknown

/** Stands before a real node and changes its answers to some methods. */
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

/** Another value at a dotted path of the answer, where the answer has one; undefined takes it away. */
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

/** Some of its bytes: hex, cut at a whole byte. */
export function cutAt(share: number): Change {
  return (truth) => {
    const hex = String(truth)
    return hex.slice(0, 2 + 2 * Math.floor(((hex.length - 2) / 2) * share))
  }
}

/** Only where a parameter says so; elsewhere the truth. */
export function where(isMeant: (params: unknown[]) => boolean, change: Change): Change {
  return (truth, params) => (isMeant(params) ? change(truth, params) : truth)
}
