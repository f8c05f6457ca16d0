import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Verified } from './connection.ts'
import { withinSourceTime } from './deadline.ts'

/** What was found at one endpoint; `network` is the name that tells networks apart. */
export type Finding = Verified['endpoints'][number] & { network?: string | undefined }
export type OneNetwork = Pick<Verified, 'latestBlock' | 'endpoints'> & { network: string | undefined }

type Unwell = { ok: false; latencyMs: number; capabilities: string[]; error: string }

/** How many times as long as one call an examination may take. */
const wholeTimes = 3

/** The first endpoint that is well says which network it is; one of another network is of no use beside it. */
export function ofOneNetwork(findings: readonly Finding[], tell: (own: string, first: string) => string): OneNetwork {
  const network = findings.find(({ ok }) => ok)?.network
  const endpoints = findings.map(({ network: own, ...endpoint }): Verified['endpoints'][number] =>
    endpoint.ok && own !== network
      ? { ...endpoint, ok: false, isOfOtherNetwork: true, error: tell(String(own), String(network)) }
      : endpoint,
  )
  const heads = endpoints.flatMap(({ ok, latestBlock }) => (ok ? (latestBlock ?? []) : []))
  return { network, latestBlock: Math.max(0, ...heads), endpoints }
}

/** One endpoint's finding, in time: a node that is slow at every question is not waited for. */
export async function inTime<T>(examining: Promise<T>, timeoutMs: number, late: (why: Unwell) => T): Promise<T> {
  const wholeMs = wholeTimes * timeoutMs
  try {
    return await withinSourceTime(examining, wholeMs)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return late({ ok: false, latencyMs: wholeMs, capabilities: [], error: error.message })
  }
}

/** Undefined where the node does not serve it: verification asks what a node can do. */
export async function attempt<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}
