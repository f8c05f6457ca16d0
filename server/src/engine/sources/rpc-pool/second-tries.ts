import { RpcError } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { NotServed, SlowDown } from './endpoint.ts'

/** Runs a function later. Returns a function that cancels it. */
export type After = (ms: number, run: () => void) => () => void

export const afterReally: After = (ms, run) => {
  const timer = setTimeout(run, Math.ceil(ms))
  return () => clearTimeout(timer)
}

const firstPauseMs = 50

type Tries = {
  triesMax: number
  /** After this time without an answer the call is sent again, while the first one still waits; then after twice the time. */
  silentMs: number
  leftMs(): number
  after: After
}

/**
 * Sends a call again when the endpoint fails it, and also while it does not answer: one call of many hangs at some providers.
 * The first answer counts. So a slow answer has as much time as before, and a call that hangs does not cost all of it.
 */
export async function sendUntilAnswered<T>(send: (isAgain: boolean) => Promise<T>, tries: Tries): Promise<T> {
  const { triesMax, silentMs, leftMs, after } = tries
  if (triesMax <= 1) return send(false)
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let [sent, pending] = [0, 0]
  let cancel = () => {}
  const sendOnce = () => {
    cancel()
    sent += 1
    pending += 1
    if (sent < triesMax) cancel = after(silentMs * 2 ** (sent - 1), sendOnce)
    send(sent > 1).then(resolve, (error: unknown) => {
      pending -= 1
      if (!mayAnswerNextTime(error)) return reject(error)
      const isLast = sent >= triesMax || leftMs() <= firstPauseMs
      if (isLast && pending === 0) return reject(error)
      if (isLast) return
      cancel()
      cancel = after(firstPauseMs * 2 ** (sent - 1), sendOnce)
    })
  }
  sendOnce()
  try {
    return await promise
  } finally {
    cancel()
  }
}

/** A failure of the transport or a garbled answer. An answer of the node, a refusal and a rate limit stay what they are. */
function mayAnswerNextTime(error: unknown): boolean {
  if (!(error instanceof UpstreamError) || error instanceof RpcError) return false
  if (error instanceof SlowDown || error instanceof NotServed) return false
  return error.kind !== 'refused' && error.kind !== 'too_large'
}
