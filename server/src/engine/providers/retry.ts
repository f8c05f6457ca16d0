/**
 * The rules of `retry`: which results are not accepted, and how long a run then waits. A run that waits is parked: it ends,
 * its caller stores its state, and later runs it again from the provider that waits. Earlier providers are not called again.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Provider, Retry } from '@tocsin/contract'
import { hashOf } from '../base/json.ts'
import { parsePath, readPath } from '../base/paths.ts'
import { sameKey } from '../conditions/comparison.ts'
import type { ProvidersContext } from './context.ts'
import type { Parking } from './parked-run.ts'

/** When a provider that waits by itself makes its next attempt, and for how long since the first one it may wait. */
export type Wait = { delayMs: number; maxElapsedMs: number }
/** Why a result or a failure asks for another attempt. Without `wait`, the provider's `retry` says when. */
export type Unmet = { reason: string; wait?: Wait | undefined }

/** The result is not accepted. It is an error, so that no cache stores the result. */
export class UnmetResult extends Error {
  readonly value: unknown
  readonly wait: Wait | undefined
  constructor(reason: string, value: unknown, wait?: Wait) {
    super(reason)
    this.value = value
    this.wait = wait
  }
}

export function retryOf(provider: Provider): Retry | undefined {
  return 'retry' in provider ? provider.retry : undefined
}

export function requireMet(provider: Provider, value: unknown): void {
  const retry = retryOf(provider)
  const reason = retry && explainUnmet(retry, value)
  if (reason !== undefined) throw new UnmetResult(reason, value)
}

/** Returns why a result is not accepted. `until` names the value that the reasons of `retryOn` look at, if it is present. */
function explainUnmet({ retryOn = [], until }: Retry, result: unknown): string | undefined {
  const value = until ? readPath(result, parsePath(until.path)) : result
  const name = until ? until.path : 'the result'
  const isMissing = value === undefined || value === null
  if (retryOn.includes('empty_array') && Array.isArray(value) && value.length === 0) return `${name} is an empty array`
  if (retryOn.includes('missing_path') && isMissing) return `${name} is missing`
  if (!until) return undefined
  if (until.equals === undefined) return isMissing ? `${name} is missing` : undefined
  return isEqual(value, until.equals) ? undefined : `${name} is not yet ${JSON.stringify(until.equals)?.slice(0, 80)}`
}

/** Numbers and texts compare as in conditions. Lists and objects must be the same. */
function isEqual(value: unknown, wanted: unknown): boolean {
  const key = sameKey(wanted)
  return key === undefined ? isDeepStrictEqual(value, wanted) : sameKey(value) === key
}

const delayMaxMs = 3_600_000
/** The store remembers undone blocks for a week, and a run must not outlive that. */
const parkedMaxMs = 5 * 86_400_000

/** The pause after so many attempts. */
export function delayAfter({ delayMs, backoff, maxDelayMs = delayMaxMs }: Retry, attempts: number): number {
  const factors = { fixed: 1, linear: attempts, exponential: 2 ** (attempts - 1) }
  return Math.min(delayMs * factors[backoff], maxDelayMs)
}

/** A provider whose result is not accepted, with all providers of its trigger and the results so far. */
type Unaccepted = {
  definition: Provider
  providers: readonly Provider[]
  values: Record<string, unknown>
  wait?: Wait | undefined
}

/** Counts the attempt, and parks the run if another one follows. Without `parking` in the context, as in tests, none does. */
export function nextAttempt(
  context: ProvidersContext,
  { definition, providers, values, wait }: Unaccepted,
): { attempts: number; parking?: Parking } {
  const digest = digestOf(providers, context.inputs)
  const nowMs = context.parking?.nowMs() ?? 0
  const before = context.parked?.digest === digest ? context.parked : undefined
  const isSame = before?.provider === definition.id
  const attempts = (isSame ? before.attempts : 0) + 1
  const sinceMs = isSame ? before.sinceMs : nowMs
  const runSinceMs = before?.runSinceMs ?? nowMs
  const pace = wait ?? paceOf(definition, attempts)
  if (!pace || !context.parking) return { attempts }
  const { delayMs, maxElapsedMs } = pace
  const dueMs = nowMs + delayMs
  if (dueMs - sinceMs > maxElapsedMs || dueMs - runSinceMs > parkedMaxMs) return { attempts }
  const earlier = providers.slice(0, providers.indexOf(definition)).map(({ id }) => [id, values[id] ?? null])
  const state = { provider: definition.id, attempts, sinceMs, runSinceMs, values: Object.fromEntries(earlier), digest }
  return { attempts, parking: { state, delayMs } }
}

/** Undefined if no attempt is left. */
function paceOf(definition: Provider, attempts: number): Wait | undefined {
  const retry = retryOf(definition)
  if (!retry || attempts >= retry.attempts) return undefined
  return { delayMs: delayAfter(retry, attempts), maxElapsedMs: retry.maxElapsedMs ?? parkedMaxMs }
}

/** The results that a parked run had before it waited, if they still fit the definition and the inputs. */
export function parkedValues(
  { parked, inputs }: Pick<ProvidersContext, 'parked' | 'inputs'>,
  providers: readonly Provider[],
): Record<string, unknown> {
  return parked && parked.digest === digestOf(providers, inputs) ? parked.values : {}
}

const definitionHashes = new WeakMap<readonly Provider[], string>()

function digestOf(providers: readonly Provider[], inputs: Record<string, unknown>): string {
  const definition = definitionHashes.get(providers) ?? hashOf(JSON.stringify(providers))
  definitionHashes.set(providers, definition)
  return hashOf(JSON.stringify([definition, Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1))]))
}
