import { type Call, type Fault, faultyEndpoint } from './faulty-endpoint.ts'
import { askNode } from './lying-endpoint.ts'
import type { AskNode } from './node-heads.ts'

/** What a node does wrong. All parts are optional: a scenario names what it distorts, and the rest is the truth. */
export type Scenario = {
  /** Answers a call before the node sees it. */
  refuse?(call: Call): Fault
  /** The answer in place of the node's. */
  change?(call: Call, truth: unknown, ask: AskNode): Promise<Fault> | Fault
  /** What is announced over a web socket in place of the node's announcement; undefined announces nothing. */
  announce?(result: unknown): unknown
}

export type MisbehavingNode = Awaited<ReturnType<typeof misbehavingNode>>

/** Stands before a real node of any chain, over HTTP and web socket, and distorts its answers as the scenario says. */
export async function misbehavingNode(node: { url: string; wsUrl: string }, first: Scenario = {}) {
  let scenario = first
  const ask: AskNode = async (method, params) => (await askNode(node.url, { id: 0, method, params })).result
  const faultOf = async (sent: Call): Promise<Fault> => {
    const call = { ...sent, params: sent.params ?? [] }
    const { refuse, change } = scenario
    const refused = refuse?.(call)
    // What a web socket subscribes to must go over that same socket.
    if (refused || !change || /subscribe/i.test(call.method)) return refused
    const { result, error } = await askNode(node.url, call)
    if (error) return { error }
    return (await change(call, result, ask)) ?? { result }
  }
  const announce = (result: unknown) => (scenario.announce ? scenario.announce(result) : result)
  const endpoint = await faultyEndpoint(node.url, faultOf, { wsUrl: node.wsUrl, announce })
  /** From now on it does this instead; without a scenario it tells the truth. */
  const turn = (to: Scenario = {}) => {
    scenario = to
  }
  return { ...endpoint, turn }
}
