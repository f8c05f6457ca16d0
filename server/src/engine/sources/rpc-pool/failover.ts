import { RpcError } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { isCallersFault, isEndpointsFault, isMissingBlock, type TakeElement } from './endpoint.ts'
import { byPreference, type Health } from './health.ts'
import type { Network } from './network.ts'
import { type CallTime, withinLimits } from './within-limits.ts'

export type AskOptions = {
  /** The index of the endpoint to ask first, for example the one that announced the block. */
  prefer?: number | undefined
  /** True if a caller wrote the method or its parameters. An error about them is then the answer, and no endpoint is at fault. */
  isCallers?: boolean
  /** False if the endpoint must not get a call twice; by default that is so for a call that a caller wrote. */
  mayRepeat?: boolean
  /** The main call of the work. An endpoint that fails at it is asked last for it for a while. */
  method?: string
  /** The indexes of the endpoints that may be asked; all by default. */
  among?: readonly number[]
  /** The time limit of the work, if it is longer than that of the pool. */
  timeoutMs?: number | undefined
  /** An upper limit for waiting for rate limits, when the pool allows more. */
  limitWaitMs?: number
}
export type Asking<T> = AskOptions & {
  /** Throws an UpstreamError for an answer that cannot be used. All endpoints are asked before the call fails with it. */
  work(at: OneEndpoint): Promise<T>
}
/** One endpoint of the pool, for work that makes several calls to the same one. */
export type OneEndpoint = {
  /** Its index in the list of endpoints. */
  index: number
  host: string
  request(method: string, params: unknown): Promise<unknown>
  /** The same for an answer that is too large otherwise; see `Endpoint.requestLarge`. */
  requestLarge(method: string, params: unknown, take: TakeElement): Promise<unknown>
  notify: Health['notify']
  reportTrouble: Health['reportTrouble']
}
export type AskCall = <T>(
  method: string,
  params: unknown,
  read: (answer: unknown) => T,
  options?: AskOptions,
) => Promise<T>
export type AtOneCall = <T>(work: (at: OneEndpoint) => Promise<T>, options?: AskOptions) => Promise<T>
type Attempt<T> =
  | { kind: 'answer'; value: T }
  /** The endpoint failed. */
  | { kind: 'failed'; error: UpstreamError }
  /** The endpoint answered with an error. `method` is the call that it refused. */
  | { kind: 'refused'; error: RpcError; health: Health; method: string }
  /** The answer cannot be used. */
  | { kind: 'incomplete'; error: UpstreamError; health: Health; startedAt: number }
type Miss<T> = Exclude<Attempt<T>, { kind: 'answer' }>

/** The minimum time of an endpoint before the next one is asked. Fewer endpoints are asked when time is short. */
const attemptMinMs = 2000

/** Asks one endpoint after the other until an answer is accepted. Cost: at most one attempt per endpoint. */
export async function askAny<T>(
  all: readonly Health[],
  network: Network,
  asking: Asking<T>,
  time: CallTime,
): Promise<T> {
  const { now } = time
  const timeoutMs = Math.max(time.timeoutMs, asking.timeoutMs ?? 0)
  const limitWaitMs = Math.min(time.limitWaitMs ?? 0, asking.limitWaitMs ?? Number.POSITIVE_INFINITY)
  const endsAt = now() + timeoutMs
  const asked = sortEndpoints(all, asking)
  const available = pickAvailable(asked, limitWaitMs)
  const misses: Miss<T>[] = []
  for (const [index, health] of available.entries()) {
    const leftMs = Math.floor(endsAt - now())
    if (leftMs <= 0) break
    const left = available.length - index
    const shareMs = Math.min(leftMs, Math.max(attemptMinMs, Math.floor(leftMs / left)))
    // The call waits only for the last endpoint, because before it another one may answer at once.
    const mayRepeat = left === 1 && (asking.mayRepeat ?? !asking.isCallers)
    const share = { ...time, timeoutMs: shareMs, limitWaitMs: left === 1 ? limitWaitMs : 0, mayRepeat }
    const attempt = await attemptAt({ health, index: all.indexOf(health), network, time: share }, asking)
    if (attempt.kind === 'answer') {
      if (asking.method !== undefined) health.restorePriority(asking.method)
      if (!asking.isCallers) penalizeMisses(misses, health, asking.method)
      return attempt.value
    }
    misses.push(attempt)
    if (attempt.kind === 'refused' && asking.isCallers && isCallersFault(attempt.error)) throw attempt.error
  }
  throw misses.length > 0 ? combineErrors(misses.map(({ error }) => error)) : allPausedError(asked)
}

/** Leaves out the endpoints that asked for a pause, unless all did and the shortest pause is short enough. */
function pickAvailable(ordered: readonly Health[], limitWaitMs: number): Health[] {
  const available = ordered.filter((health) => !health.mustRest)
  if (available.length > 0) return available
  return ordered.filter(({ restMs }) => restMs < limitWaitMs).slice(0, 1)
}

function sortEndpoints(all: readonly Health[], { prefer, method, among }: AskOptions): Health[] {
  const isLast = (health: Health) => Number(health.isDeprioritized(method))
  const isAsked = (index: number) => among?.includes(index) ?? true
  const sorted = all.filter((_, index) => isAsked(index)).sort((a, b) => isLast(a) - isLast(b) || byPreference(a, b))
  const first = prefer === undefined || !isAsked(prefer) ? undefined : all[prefer]
  return first && first.restMs === 0 && !first.isDeprioritized(method)
    ? [first, ...sorted.filter((health) => health !== first)]
    : sorted
}

type Turn = { health: Health; index: number; network: Network; time: CallTime }

async function attemptAt<T>({ health, index, network, time }: Turn, { work }: Asking<T>): Promise<Attempt<T>> {
  const startedAt = time.now()
  const call = withinLimits(health, network, time)
  /** The errors of the calls, each with its method. */
  const failures = new Map<unknown, string>()
  const watched = async (method: string, ask: () => Promise<unknown>) => {
    try {
      return await ask()
    } catch (error) {
      failures.set(error, method)
      throw error
    }
  }
  const request = async (method: string, params: unknown) => {
    const known = health.headBlock?.take(method, params)
    if (known !== undefined) return known
    const answer = await watched(method, () => call(method, params))
    health.headBlock?.store(method, params, answer)
    return answer
  }
  const requestLarge: OneEndpoint['requestLarge'] = (method, params, take) =>
    watched(method, () => call(method, params, take))
  try {
    const notify: Health['notify'] = (...line) => health.notify(...line)
    const reportTrouble: Health['reportTrouble'] = (...line) => health.reportTrouble(...line)
    return {
      kind: 'answer',
      value: await work({ index, host: health.host, request, requestLarge, notify, reportTrouble }),
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const method = failures.get(error)
    if (method === undefined) return rejectAnswer(health, error, startedAt)
    return error instanceof RpcError && !isEndpointsFault(error)
      ? { kind: 'refused', error, health, method }
      : { kind: 'failed', error }
  }
}

/** The endpoint answered, but the work did not accept the answer. */
function rejectAnswer<T>(health: Health, error: UpstreamError, startedAt: number): Attempt<T> {
  if (error.kind !== 'bad_answer') throw error
  health.counts.incomplete += 1
  const named = new UpstreamError('bad_answer', `${health.name}: ${error.message}`)
  return { kind: 'incomplete', error: named, health, startedAt }
}

/** Another endpoint answered, so the ones before it lag, give incomplete answers or refuse the call: ask them last for a while. */
function penalizeMisses<T>(misses: readonly Miss<T>[], better: Health, method: string | undefined): void {
  for (const miss of misses) {
    if (miss.kind === 'failed' || (miss.kind === 'refused' && isMissingBlock(miss.error))) continue
    const { health, error } = miss
    if (method !== undefined) health.deprioritize(method)
    if (miss.kind === 'refused')
      health.reportTrouble(
        'endpoint_refusing',
        `refuses ${miss.method}, which ${better.name} answers: ${error.message}`,
      )
    else {
      health.failed(error, miss.startedAt)
      health.reportTrouble('endpoint_incomplete', `gave an answer that ${better.name} corrected: ${error.message}`)
    }
  }
}

/** Combines the errors of all endpoints. It is an RpcError if one of them is, with the code of the first. */
function combineErrors(errors: readonly UpstreamError[]): UpstreamError {
  const [only, ...others] = errors
  if (only && others.length === 0) return only
  const messages = [...new Set(errors.map(({ message }) => message))].join(' ')
  const answered = errors.find((error) => error instanceof RpcError)
  if (answered) return new RpcError(answered.code, messages, answered.data)
  const kinds = new Set(errors.map(({ kind }) => kind))
  const [kind = 'failed'] = kinds.size === 1 ? kinds : []
  return new UpstreamError(kind, messages)
}

function allPausedError(asked: readonly Health[]): UpstreamError {
  if (asked.length === 0) return new UpstreamError('failed', 'The network has no endpoint.')
  const seconds = Math.ceil(Math.min(...asked.map(({ restMs }) => restMs)) / 1000)
  return new UpstreamError('failed', `Every endpoint asked to slow down; the first is free again in ${seconds} s.`)
}
