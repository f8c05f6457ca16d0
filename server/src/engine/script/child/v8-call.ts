import type { CallResult } from './engine.ts'
import { type GuestAnswer, readGuestAnswer, timeout } from './guest-answer.ts'
import type { RealmRequest } from './v8-realm.ts'

/** Sends a request to a realm. Throws if the realm fails or exceeds the timeout. */
export type SendRequest = (request: RealmRequest, timeoutMs: number, ...values: (string | number)[]) => string

/** The time limit of our own code in the realm. It is quick, but it handles strings that the tenant chose. */
const ownTimeoutMs = 1_000

/** Calls a script, runs its promises, and reads its logs. `isTimedOut` is true if V8 stopped the realm midway. */
export function callInRealm(
  send: SendRequest,
  json: string,
  nowMs: number,
  wallMs: number,
): { called: CallResult; isTimedOut: boolean } {
  const { answer, isTimedOut } = run(send, json, nowMs, wallMs)
  const settled = answer.outcome === 'pending' && !isTimedOut ? readAnswer(send('finish', ownTimeoutMs)) : answer
  const outcome = settled.outcome === 'pending' ? timeout : settled.outcome
  const logs = settled.hasLogs || outcome === timeout ? trySend(send, 'logs') : ''
  return { called: logs ? { ...outcome, logs: Buffer.from(logs) } : outcome, isTimedOut }
}

/**
 * V8 runs a script's pending jobs before `run` returns. If one of them fails or never ends, the script's own answer is
 * still valid, and the realm returns it on request.
 */
function run(
  send: SendRequest,
  json: string,
  nowMs: number,
  wallMs: number,
): { answer: GuestAnswer; isTimedOut: boolean } {
  const began = performance.now()
  try {
    return { answer: readAnswer(send('run', wallMs, json, nowMs)), isTimedOut: false }
  } catch (error) {
    // The message cannot be used: it may be that of a failed job.
    const isTimedOut = performance.now() - began >= wallMs
    const text = trySend(send, 'answer')
    if (text === '' && !isTimedOut) throw error
    return { answer: text === '' ? timedOutAnswer : readAnswer(text), isTimedOut }
  }
}

const timedOutAnswer: GuestAnswer = { outcome: timeout, hasLogs: true }

/** A request may fail because of a job that an earlier request left behind. */
function trySend(send: SendRequest, request: RealmRequest): string {
  try {
    return send(request, ownTimeoutMs)
  } catch {
    return ''
  }
}

function readAnswer(text: string): GuestAnswer {
  return readGuestAnswer(Buffer.from(text))
}
