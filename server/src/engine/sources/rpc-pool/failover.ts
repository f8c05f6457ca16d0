import { RpcError } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { isCallersOwn, isEndpointsFault, isMissingBlock } from './endpoint.ts'
import { byPreference, type Health } from './health.ts'
import type { Network } from './network.ts'
import { type CallTime, withinLimits } from './within-limits.ts'

export type AskOptions = {
  /** The endpoint to ask first, by its place in the list: the one that announced a block has it. */
  prefer?: number | undefined
  /** A caller wrote the method or its parameters: an error about them is the answer, and no endpoint is to blame. */
  isCallers?: boolean
  /** The call that the work is, or stands for: an endpoint that fails at it goes last for it for a while. */
  method?: string
  /** Only these endpoints are asked, by their places in the list; all of them unless told. */
  among?: readonly number[]
  /** The call waits no longer than this for the limits of endpoints, even where the pool allows more. */
  limitWaitMs?: number
}
export type Asking<T> = AskOptions & {
  /** Throws an UpstreamError at an answer that will not do; all endpoints are asked before the call fails with it. */
  work(at: OneEndpoint): Promise<T>
}
/** One endpoint of the pool, for work that makes several calls to the same one. */
export type OneEndpoint = {
  /** Its place in the list of endpoints. */
  place: number
  host: string
  request(method: string, params: unknown): Promise<unknown>
  tell: Health['tell']
  complain: Health['complain']
}
type Attempt<T> =
  | { kind: 'answer'; value: T }
  /** The endpoint failed. */
  | { kind: 'failed'; error: UpstreamError }
  /** The endpoint answered with an error; `method` is the call that it refused. */
  | { kind: 'refused'; error: RpcError; health: Health; method: string }
  /** The answer will not do. */
  | { kind: 'incomplete'; error: UpstreamError; health: Health; startedAt: number }
type Miss<T> = Exclude<Attempt<T>, { kind: 'answer' }>

/** The least that an endpoint gets before the next one is asked; fewer are asked when the time is short. */
const attemptLeastMs = 2000

/** One call, put to one endpoint after the other until an answer is accepted. */
export async function askAny<T>(
  all: readonly Health[],
  network: Network,
  asking: Asking<T>,
  time: CallTime,
): Promise<T> {
  const { timeoutMs, now } = time
  const limitWaitMs = Math.min(time.limitWaitMs ?? 0, asking.limitWaitMs ?? Number.POSITIVE_INFINITY)
  const endsAt = now() + timeoutMs
  const asked = inOrder(all, asking)
  const willing = willingOf(asked, limitWaitMs)
  const misses: Miss<T>[] = []
  for (const [index, health] of willing.entries()) {
    const leftMs = Math.floor(endsAt - now())
    if (leftMs <= 0) break
    const left = willing.length - index
    const shareMs = Math.min(leftMs, Math.max(attemptLeastMs, Math.floor(leftMs / left)))
    // Only the last one is waited for: before it, there is another that may answer at once.
    const share = { ...time, timeoutMs: shareMs, limitWaitMs: left === 1 ? limitWaitMs : 0 }
    const attempt = await attemptAt({ health, place: all.indexOf(health), network, time: share }, asking)
    if (attempt.kind === 'answer') {
      if (asking.method !== undefined) health.favour(asking.method)
      if (!asking.isCallers) blame(misses, health, asking.method)
      return attempt.value
    }
    misses.push(attempt)
    if (attempt.kind === 'refused' && asking.isCallers && isCallersOwn(attempt.error)) throw attempt.error
  }
  throw misses.length > 0 ? together(misses.map(({ error }) => error)) : resting(asked)
}

/** Those that want no calls for a while are left out, unless nobody else is there and the wait is short enough. */
function willingOf(ordered: readonly Health[], limitWaitMs: number): Health[] {
  const willing = ordered.filter((health) => !health.mustRest)
  if (willing.length > 0) return willing
  return ordered.filter(({ restMs }) => restMs < limitWaitMs).slice(0, 1)
}

function inOrder(all: readonly Health[], { prefer, method, among }: AskOptions): Health[] {
  const isLast = (health: Health) => Number(health.isDisfavoured(method))
  const isAsked = (place: number) => among?.includes(place) ?? true
  const sorted = all.filter((_, place) => isAsked(place)).sort((a, b) => isLast(a) - isLast(b) || byPreference(a, b))
  const first = prefer === undefined || !isAsked(prefer) ? undefined : all[prefer]
  return first && first.restMs === 0 && !first.isDisfavoured(method)
    ? [first, ...sorted.filter((health) => health !== first)]
    : sorted
}

type Turn = { health: Health; place: number; network: Network; time: CallTime }

async function attemptAt<T>({ health, place, network, time }: Turn, { work }: Asking<T>): Promise<Attempt<T>> {
  const startedAt = time.now()
  const call = withinLimits(health, network, time)
  let failure: { error: unknown; method: string } | undefined
  const request = async (method: string, params: unknown) => {
    const known = health.headBlock?.take(method, params)
    if (known !== undefined) return known
    try {
      const answer = await call(method, params)
      health.headBlock?.learn(method, params, answer)
      return answer
    } catch (error) {
      failure = { error, method }
      throw error
    }
  }
  try {
    const tell: Health['tell'] = (...line) => health.tell(...line)
    const complain: Health['complain'] = (...line) => health.complain(...line)
    return { kind: 'answer', value: await work({ place, host: health.host, request, tell, complain }) }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (error !== failure?.error) return judge(health, error, startedAt)
    return error instanceof RpcError && !isEndpointsFault(error)
      ? { kind: 'refused', error, health, method: failure.method }
      : { kind: 'failed', error }
  }
}

/** The endpoint answered, and the work did not accept its answer. */
function judge<T>(health: Health, error: UpstreamError, startedAt: number): Attempt<T> {
  if (error.kind !== 'bad_answer') throw error
  health.counts.incomplete += 1
  const named = new UpstreamError('bad_answer', `${health.host}: ${error.message}`)
  return { kind: 'incomplete', error: named, health, startedAt }
}

/** Another endpoint answered: those before it lag, leave things out or refuse the call, and go last for a while. */
function blame<T>(misses: readonly Miss<T>[], better: Health, method: string | undefined): void {
  for (const miss of misses) {
    if (miss.kind === 'failed' || (miss.kind === 'refused' && isMissingBlock(miss.error))) continue
    const { health, error } = miss
    if (method !== undefined) health.disfavour(method)
    if (miss.kind === 'refused')
      health.complain('endpoint_refusing', `refuses ${miss.method}, which ${better.host} answers: ${error.message}`)
    else {
      health.failed(error, miss.startedAt)
      health.complain('endpoint_incomplete', `gave an answer that ${better.host} corrected: ${error.message}`)
    }
  }
}

/** What every endpoint said. An RpcError where one of them answered with an error, under the code of the first. */
function together(errors: readonly UpstreamError[]): UpstreamError {
  const [only, ...others] = errors
  if (only && others.length === 0) return only
  const said = [...new Set(errors.map(({ message }) => message))].join(' ')
  const answered = errors.find((error) => error instanceof RpcError)
  if (answered) return new RpcError(answered.code, said, answered.data)
  const kinds = new Set(errors.map(({ kind }) => kind))
  const [kind = 'failed'] = kinds.size === 1 ? kinds : []
  return new UpstreamError(kind, said)
}

function resting(asked: readonly Health[]): UpstreamError {
  if (asked.length === 0) return new UpstreamError('failed', 'The network has no endpoint.')
  const seconds = Math.ceil(Math.min(...asked.map(({ restMs }) => restMs)) / 1000)
  return new UpstreamError('failed', `Every endpoint asked to slow down; the first is free again in ${seconds} s.`)
}
