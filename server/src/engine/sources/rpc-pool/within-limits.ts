import { UpstreamError } from '../../outbound/upstream-error.ts'
import { isEndpointsFault, isOverload, type TakeElement } from './endpoint.ts'
import type { Health } from './health.ts'
import type { Network } from './network.ts'
import { type After, afterReally, sendUntilAnswered } from './second-tries.ts'

export type CallTime = {
  timeoutMs: number
  now: () => number
  /** How long calls may wait in total for the endpoint's rate limit, in addition to `timeoutMs`. */
  limitWaitMs?: number | undefined
  /** Aborts when the pool is closed. */
  signal?: AbortSignal | undefined
  /** True if an endpoint may get a call again that it failed or does not answer. */
  mayRepeat?: boolean
  after?: After
}
/** With `take` the answer is read as a stream; see `Endpoint.requestLarge`. */
export type Request = (method: string, params: unknown, take?: TakeElement) => Promise<unknown>

/** With half of its calls failing, an endpoint answers 15 of 16 calls within this many tries. */
const triesOfCall = 4
/** A wait for a turn looks this often if the endpoint is not limited any more. */
const lookAgainMs = 500

/**
 * Calls one endpoint within its rate limit. A rejected call waits as long as the endpoint asks and is repeated, so that
 * work of several calls does not start again. The waiting time does not count towards the endpoint's timeout.
 */
export function withinLimits(health: Health, network: Network, time: CallTime): Request {
  const { timeoutMs, now, limitWaitMs = 0, signal, mayRepeat = false, after = afterReally } = time
  const startedAt = now()
  let waitedMs = 0
  const leftMs = () => Math.max(1, Math.floor(startedAt + timeoutMs + waitedMs - now()))
  return async (method, params, take) => {
    for (;;) {
      const waitingAt = now()
      if (limitWaitMs > 0) await rest(health, limitWaitMs - waitedMs, { signal, after })
      await waitForTurn(health, Math.max(leftMs(), limitWaitMs - waitedMs), { signal, after })
      if (limitWaitMs > 0) waitedMs += now() - waitingAt
      try {
        const sendOnce = (isAgain: boolean) => {
          if (isAgain) health.pace.take()
          return send(health, network, { method, params, take }, { timeoutMs: leftMs(), now })
        }
        // A stream is taken once.
        const triesMax = mayRepeat && !health.isDown && !take ? triesOfCall : 1
        const silentMs = health.times.silentMs(method, timeoutMs)
        return await sendUntilAnswered(sendOnce, { triesMax, silentMs, leftMs, after })
      } catch (error) {
        const isRefused = error instanceof UpstreamError && isOverload(error)
        if (!isRefused || waitedMs + health.limitedMs >= limitWaitMs) throw error
      }
    }
  }
}

type Waiting = { signal: AbortSignal | undefined; after: After }

async function rest(health: Health, maxMs: number, waiting: Waiting): Promise<void> {
  const { limitedMs } = health
  if (limitedMs > maxMs) throw waitTooLongError(health)
  if (limitedMs > 0) await pause(limitedMs, waiting)
}

/** A call that would get its token too late takes none, so that later calls can use it. */
async function waitForTurn(health: Health, maxMs: number, waiting: Waiting): Promise<void> {
  if (health.pace.waitMs > maxMs) throw waitTooLongError(health)
  for (let waitMs = health.pace.take(); waitMs > 0 && health.pace.perSecond !== null; waitMs -= lookAgainMs)
    await pause(Math.min(waitMs, lookAgainMs), waiting)
}

function waitTooLongError({ host }: Health): UpstreamError {
  return new UpstreamError('failed', `${host} asked to slow down, and the wait would exceed the time limit.`)
}

/** Ends at once when the pool closes, also if it was closed before the wait began. */
async function pause(ms: number, { signal, after }: Waiting): Promise<void> {
  requireOpen(signal)
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = after(ms, resolve)
  const onAbort = () => {
    cancel()
    resolve()
  }
  signal?.addEventListener('abort', onAbort)
  await promise
  signal?.removeEventListener('abort', onAbort)
  requireOpen(signal)
}

function requireOpen(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new UpstreamError('failed', 'The connection is closed.')
}

type Call = { method: string; params: unknown; take: TakeElement | undefined }

/** Sends the call and records its result in the endpoint's health. An error of the method itself counts as a success. */
async function send(health: Health, network: Network, { method, params, take }: Call, time: CallTime) {
  const startedAt = time.now()
  const leftMs = () => Math.max(1, Math.floor(startedAt + time.timeoutMs - time.now()))
  health.counts.requests += 1
  try {
    await network.requireSame(health, leftMs())
    const { endpoint } = health
    const result = take
      ? await endpoint.requestLarge(method, params, take, leftMs())
      : await endpoint.request(method, params, leftMs())
    health.succeeded(startedAt, result, method)
    return result
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (isEndpointsFault(error)) health.callFailed(error, startedAt)
    else health.succeeded(startedAt)
    throw error
  }
}
