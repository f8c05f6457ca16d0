import { setTimeout as sleep } from 'node:timers/promises'
import { RpcError } from '../../json-rpc.ts'
import { UpstreamError } from '../../world.ts'
import { isCallersOwn, isEndpointsFault, isMissingBlock } from './endpoint.ts'
import { byPreference, type Health } from './health.ts'
import type { Network } from './network.ts'

export type AskOptions = {
  /** The endpoint to ask first, by its place in the list: the one that announced a block has it. */
  prefer?: number | undefined
  /** A caller wrote the method or its parameters: an error about them is the answer, and no endpoint is to blame. */
  isCallers?: boolean
  /** The call that the work is, or stands for: an endpoint that fails at it goes last for it for a while. */
  method?: string
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
type Time = { timeoutMs: number; now: () => number }

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
  { timeoutMs, now }: Time,
): Promise<T> {
  const endsAt = now() + timeoutMs
  const willing = inOrder(all, asking).filter((health) => !health.mustRest)
  const misses: Miss<T>[] = []
  for (const [index, health] of willing.entries()) {
    const leftMs = Math.floor(endsAt - now())
    if (leftMs <= 0) break
    const shareMs = Math.min(leftMs, Math.max(attemptLeastMs, Math.floor(leftMs / (willing.length - index))))
    const place = all.indexOf(health)
    const attempt = await attemptAt({ health, place, network, time: { timeoutMs: shareMs, now } }, asking)
    if (attempt.kind === 'answer') {
      if (asking.method !== undefined) health.favour(asking.method)
      if (!asking.isCallers) blame(misses, health, asking.method)
      return attempt.value
    }
    misses.push(attempt)
    if (attempt.kind === 'refused' && asking.isCallers && isCallersOwn(attempt.error)) throw attempt.error
  }
  throw misses.length > 0 ? together(misses.map(({ error }) => error)) : resting(all)
}

function inOrder(all: readonly Health[], { prefer, method }: AskOptions): Health[] {
  const isLast = (health: Health) => Number(health.isDisfavoured(method))
  const sorted = [...all].sort((a, b) => isLast(a) - isLast(b) || byPreference(a, b))
  const first = prefer === undefined ? undefined : all[prefer]
  return first && first.restMs === 0 && !first.isDisfavoured(method)
    ? [first, ...sorted.filter((health) => health !== first)]
    : sorted
}

type Turn = { health: Health; place: number; network: Network; time: Time }

async function attemptAt<T>({ health, place, network, time }: Turn, { work }: Asking<T>): Promise<Attempt<T>> {
  const startedAt = time.now()
  const endsAt = startedAt + time.timeoutMs
  let failure: { error: unknown; method: string } | undefined
  const request = async (method: string, params: unknown) => {
    const timeoutMs = Math.max(1, Math.floor(endsAt - time.now()))
    try {
      return await requestAt(health, network, method, params, { timeoutMs, now: time.now })
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

/** One endpoint, within its pace; its health learns how it went. An error of the method itself speaks for the endpoint. */
export async function requestAt(health: Health, network: Network, method: string, params: unknown, time: Time) {
  const endsAt = time.now() + time.timeoutMs
  // A place that cannot be used in time is not taken from those that come later.
  if (health.pace.waitMs > time.timeoutMs)
    throw new UpstreamError('failed', `${health.host} asked to slow down, and its turn would come too late.`)
  const waitMs = health.pace.take()
  if (waitMs > 0) await sleep(waitMs)
  const startedAt = time.now()
  const leftMs = () => Math.max(1, Math.floor(endsAt - time.now()))
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

function resting(all: readonly Health[]): UpstreamError {
  if (all.length === 0) return new UpstreamError('failed', 'The network has no endpoint.')
  const seconds = Math.ceil(Math.min(...all.map(({ restMs }) => restMs)) / 1000)
  return new UpstreamError('failed', `Every endpoint asked to slow down; the first is free again in ${seconds} s.`)
}
