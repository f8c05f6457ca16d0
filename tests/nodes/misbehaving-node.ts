import { type Call, type Fault, faultyEndpoint } from './faulty-endpoint.ts'
import { askNode } from './lying-endpoint.ts'
import type { AskNode } from './node-heads.ts'

/** The faults of a node. All parts are optional; everything else is passed on unchanged. */
export type Scenario = {
  /** Answers a call before the node sees it. */
  refuse?(call: Call): Fault
  /** The reply that replaces the node's. */
  change?(call: Call, truth: unknown, ask: AskNode): Promise<Fault> | Fault
  /** Replaces an announcement of the node over a web socket; undefined drops it. */
  announce?(result: unknown): unknown
}

export type MisbehavingNode = Awaited<ReturnType<typeof misbehavingNode>>

/** A proxy in front of a real node of any chain, over HTTP and web socket, that changes its replies by a scenario. */
export async function misbehavingNode(node: { url: string; wsUrl: string }, first: Scenario = {}) {
  let scenario = first
  const ask: AskNode = async (method, params) => (await askNode(node.url, { id: 0, method, params })).result
  const faultOf = async (sent: Call): Promise<Fault> => {
    const call = { ...sent, params: sent.params ?? [] }
    const { refuse, change } = scenario
    const refused = refuse?.(call)
    // A subscription must use the web socket that requested it.
    if (refused || !change || /subscribe/i.test(call.method)) return refused
    const { result, error } = await askNode(node.url, call)
    if (error) return { error }
    return (await change(call, result, ask)) ?? { result }
  }
  const announce = (result: unknown) => (scenario.announce ? scenario.announce(result) : result)
  const endpoint = await faultyEndpoint(node.url, faultOf, { wsUrl: node.wsUrl, announce })
  /** Switches to this scenario; without one it changes nothing. */
  const turn = (to: Scenario = {}) => {
    scenario = to
  }
  return { ...endpoint, turn }
}
