import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Verified } from './connection.ts'
import { withinSourceTime } from './deadline.ts'

/** The result of checking one endpoint. `network` identifies its network. */
export type Finding = Verified['endpoints'][number] & { network?: string | undefined }
export type OneNetwork = Pick<Verified, 'latestBlock' | 'endpoints'> & { network: string | undefined }

type FailedFinding = { ok: false; latencyMs: number; capabilities: string[]; error: string }

/** A check may take this many times the time limit of one call. */
const checkTimeoutFactor = 3

/** The first working endpoint determines the network. Endpoints of other networks are marked as not usable. */
export function ofOneNetwork(
  findings: readonly Finding[],
  explain: (own: string, first: string) => string,
): OneNetwork {
  const network = findings.find(({ ok }) => ok)?.network
  const endpoints = findings.map(({ network: own, ...endpoint }): Verified['endpoints'][number] =>
    endpoint.ok && own !== network
      ? { ...endpoint, ok: false, isOfOtherNetwork: true, error: explain(String(own), String(network)) }
      : endpoint,
  )
  const heads = endpoints.flatMap(({ ok, latestBlock }) => (ok ? (latestBlock ?? []) : []))
  return { network, latestBlock: Math.max(0, ...heads), endpoints }
}

/** Limits the time of one endpoint's check, so that a slow node does not delay the others. */
export async function withinCheckTime<T>(
  examining: Promise<T>,
  timeoutMs: number,
  onTimeout: (why: FailedFinding) => T,
): Promise<T> {
  const checkTimeoutMs = checkTimeoutFactor * timeoutMs
  try {
    return await withinSourceTime(examining, checkTimeoutMs)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return onTimeout({ ok: false, latencyMs: checkTimeoutMs, capabilities: [], error: error.message })
  }
}

/** Undefined when the node does not offer the call. Verification uses it to find out what a node can do. */
export async function attempt<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}
