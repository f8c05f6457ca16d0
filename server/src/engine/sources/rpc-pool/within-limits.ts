import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { isEndpointsFault, isOverload } from './endpoint.ts'
import type { Health } from './health.ts'
import type { Network } from './network.ts'

export type CallTime = {
  timeoutMs: number
  now: () => number
  /** How long calls may wait in total for the endpoint's rate limit, in addition to `timeoutMs`. */
  limitWaitMs?: number | undefined
  /** Aborts when the pool is closed. */
  signal?: AbortSignal | undefined
}
export type Request = (method: string, params: unknown) => Promise<unknown>

/**
 * Calls one endpoint within its rate limit. A rejected call waits as long as the endpoint asks and is repeated, so that
 * work of several calls does not start again. The waiting time does not count towards the endpoint's timeout.
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

async function rest(health: Health, maxMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { limitedMs } = health
  if (limitedMs > maxMs) throw waitTooLongError(health)
  if (limitedMs > 0) await pause(limitedMs, signal)
}

/** A call that would get its token too late takes none, so that later calls can use it. */
async function waitForTurn(health: Health, maxMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (health.pace.waitMs > maxMs) throw waitTooLongError(health)
  const waitMs = health.pace.take()
  if (waitMs > 0) await pause(waitMs, signal)
}

function waitTooLongError({ host }: Health): UpstreamError {
  return new UpstreamError('failed', `${host} asked to slow down, and the wait would exceed the time limit.`)
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(Math.ceil(ms), undefined, { ...(signal && { signal }) }).catch(() => {
    throw new UpstreamError('failed', 'The connection is closed.')
  })
}

/** Sends the call and records its result in the endpoint's health. An error of the method itself counts as a success. */
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
