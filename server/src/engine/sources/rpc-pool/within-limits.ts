import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { isEndpointsFault, isOverload } from './endpoint.ts'
import type { Health } from './health.ts'
import type { Network } from './network.ts'

export type CallTime = {
  timeoutMs: number
  now: () => number
  /** How long calls may wait in all for the endpoint's limit, beside `timeoutMs`. */
  limitWaitMs?: number | undefined
  /** The pool is closed. */
  signal?: AbortSignal | undefined
}
export type Request = (method: string, params: unknown) => Promise<unknown>

/**
 * Calls to one endpoint, within its limit. One that it refuses as too many waits as long as the endpoint asks and goes
 * again, so that work of several calls does not begin anew. Waiting does not count as the endpoint's time.
 */
export function withinLimits(health: Health, network: Network, time: CallTime): Request {
  const { timeoutMs, now, limitWaitMs = 0, signal } = time
  const startedAt = now()
  let waitedMs = 0
  const leftMs = () => Math.max(1, Math.floor(startedAt + timeoutMs + waitedMs - now()))
  return async (method, params) => {
    for (;;) {
      const waitingAt = now()
      if (limitWaitMs > 0) await rest(health, limitWaitMs - waitedMs, signal)
      await waitForTurn(health, Math.max(leftMs(), limitWaitMs - waitedMs), signal)
      if (limitWaitMs > 0) waitedMs += now() - waitingAt
      try {
        return await send(health, network, method, params, { timeoutMs: leftMs(), now })
      } catch (error) {
        const isRefused = error instanceof UpstreamError && isOverload(error)
        if (!isRefused || waitedMs + health.limitedMs >= limitWaitMs) throw error
      }
    }
  }
}

async function rest(health: Health, mostMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { limitedMs } = health
  if (limitedMs > mostMs) throw tooLate(health)
  if (limitedMs > 0) await pause(limitedMs, signal)
}

/** A turn that cannot be used in time is not taken from those that come later. */
async function waitForTurn(health: Health, mostMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (health.pace.waitMs > mostMs) throw tooLate(health)
  const waitMs = health.pace.take()
  if (waitMs > 0) await pause(waitMs, signal)
}

function tooLate({ host }: Health): UpstreamError {
  return new UpstreamError('failed', `${host} asked to slow down, and its turn would come too late.`)
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(Math.ceil(ms), undefined, { ...(signal && { signal }) }).catch(() => {
    throw new UpstreamError('failed', 'The connection is closed.')
  })
}

/** The endpoint's health learns how it went. An error of the method itself speaks for the endpoint. */
async function send(health: Health, network: Network, method: string, params: unknown, time: CallTime) {
  const startedAt = time.now()
  const leftMs = () => Math.max(1, Math.floor(startedAt + time.timeoutMs - time.now()))
  health.counts.requests += 1
  try {
    await network.requireSame(health, leftMs())
    const result = await health.endpoint.request(method, params, leftMs())
    health.succeeded(startedAt, result)
    return result
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (isEndpointsFault(error)) health.failed(error, startedAt)
    else health.succeeded(startedAt)
    throw error
  }
}
