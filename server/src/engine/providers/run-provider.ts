import { findUnsafe, type Issue, type Provider } from '@tocsin/contract'
import { within } from '../base/deadline.ts'
import { hashOf } from '../base/json.ts'
import { RpcError } from '../outbound/json-rpc.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { ScriptLog } from '../script/index.ts'
import type { Budget } from './budget.ts'
import { type Call, OverloadFailure, type ProviderDebug, ProviderFailure } from './context.ts'
import { runScript } from './javascript.ts'
import { rulesOf } from './list.ts'
import { memoKey, readThroughMemo, requestOf } from './memo.ts'
import { type RenderedProvider, renderProvider } from './render.ts'
import { requireMet, retryOf, type Unmet, UnmetResult } from './retry.ts'
import { maskSecrets, openSecretsFor, type Secrets } from './secrets.ts'

const timeoutDefaultMs = 10_000

/** What a provider may use: the run's context, the providers before it and their results, and the budget of the run. */
export type ProviderTurn = Pick<Call, 'context' | 'earlier' | 'values'> & { budget: Budget; logs: ScriptLog[] }
export type ProviderOutcome = {
  value?: unknown
  issue?: Issue
  isTransient?: boolean
  isOverload?: boolean
  unmet?: Unmet
  debug: ProviderDebug
}

/** Masks the secrets in the result and the debug data, so that no later stage sees them. */
export async function runProvider(definition: Provider, turn: ProviderTurn): Promise<ProviderOutcome> {
  const secrets = await openSecretsFor(definition, turn.context.secrets)
  return maskSecrets(await runWithSecrets(definition, turn, secrets), secrets)
}

async function runWithSecrets(definition: Provider, turn: ProviderTurn, secrets?: Secrets): Promise<ProviderOutcome> {
  const startedAt = performance.now()
  const outcome = await attemptProvider(definition, turn, secrets)
  const { issue, request, isSkipped } = outcome
  const debug: ProviderDebug = {
    ok: issue === undefined,
    durationMs: Math.round(performance.now() - startedAt),
    ...(request && { request }),
    ...(issue && { error: [issue.path, issue.message].join(' ').trim() }),
    ...(isSkipped && { skipped: true }),
  }
  return { ...outcome, debug }
}

type Attempt = Omit<ProviderOutcome, 'debug'> & { request?: ProviderDebug['request']; isSkipped?: boolean }

async function attemptProvider(definition: Provider, turn: ProviderTurn, secrets?: Secrets): Promise<Attempt> {
  const { given } = turn.context
  if (given && Object.hasOwn(given, definition.id)) return { value: given[definition.id] }
  let path = 'runIf'
  let request: ProviderDebug['request']
  try {
    if (!(await shouldRun(definition, turn))) return { value: null, isSkipped: true }
    const rendered = renderWith(definition, turn, secrets)
    if (!rendered.ok) return { issue: rendered.issue }
    path = ''
    request = rulesOf(rendered.provider).describe?.()
    return { value: await fetchValue(rendered.provider, definition, turn), request }
  } catch (error) {
    if (error instanceof UnmetResult)
      return { value: error.value, unmet: { reason: error.message, wait: error.wait }, request }
    if (!(error instanceof UpstreamError || error instanceof ProviderFailure)) throw error
    const issue = { path, message: error.message }
    const isRetried = path === '' && isHttpError(error) && retryOf(definition)?.retryOn?.includes('http_error')
    const isOverload = error instanceof OverloadFailure
    const unmet = isRetried ? { unmet: { reason: error.message } } : {}
    return { issue, isTransient: isTransient(error), isOverload, request, ...unmet }
  }
}

async function shouldRun({ runIf }: Provider, { context, values, budget, logs }: ProviderTurn): Promise<boolean> {
  if (runIf === undefined) return true
  const log = (entry: ScriptLog) => void logs.push(entry)
  const deciding = runScript({ kind: 'activation', source: runIf }, { context, values, log })
  return Boolean(await withinBudget(deciding, timeoutDefaultMs, budget))
}

/** An error of the RPC method and a refused address are permanent. */
function isTransient(error: UpstreamError | ProviderFailure): boolean {
  if (error instanceof ProviderFailure) return error.isTransient
  return !(error instanceof RpcError) && (error.kind === 'failed' || error.kind === 'timeout')
}

/** No answer, or an HTTP status outside 2xx. An answer with an error of the method or of the query is none. */
function isHttpError(error: UpstreamError | ProviderFailure): boolean {
  return error instanceof ProviderFailure ? error.isHttpError || error.isTransient : isTransient(error)
}

function renderWith(
  definition: Provider,
  { context, values }: ProviderTurn,
  secrets: Secrets | undefined,
): RenderedProvider {
  return renderProvider(definition, { source: context.source, inputs: context.inputs, providers: values, secrets })
}

async function fetchValue(provider: Provider, definition: Provider, turn: ProviderTurn): Promise<unknown> {
  const { context, budget, earlier, values, logs } = turn
  const { responseBytesMax } = budget.limits
  const timeoutMs = provider.timeoutMs ?? timeoutDefaultMs
  budget.spend(provider)
  const log = (entry: ScriptLog) => void logs.push(entry)
  const call: Call = { context, definition, earlier, values, timeoutMs, responseBytesMax, log }
  // Other runs may share this read, so it gets its full timeout, even if this run stops waiting earlier.
  const reading =
    provider.cache && context.cache
      ? context.cache.read(resultKey(provider, call), provider.cache.ttlMs, async () => {
          const result = toPlainResult(await readShared(provider, call), responseBytesMax)
          requireMet(provider, result.value)
          return result
        })
      : readShared(provider, call)
  const { value, bytes } = toPlainResult(await withinBudget(reading, timeoutMs, budget), responseBytesMax)
  budget.bytes += bytes
  requireMet(provider, value)
  return rulesOf(provider).atTime?.(value, context.nowMs ?? context.askedAtMs ?? 0) ?? value
}

/** Equal reads of one block are made once. */
function readShared(provider: Provider, call: Call): Promise<unknown> {
  const { memo, at } = call.context
  const key = memo && memoKey(provider, at, call.responseBytesMax)
  const read = () => rulesOf(provider).call(call)
  return memo && key ? readThroughMemo(memo, key, read) : read()
}

function withinBudget(reading: Promise<unknown>, timeoutMs: number, budget: Budget): Promise<unknown> {
  const endsWithRun = budget.leftMs < timeoutMs
  const message = endsWithRun
    ? `the run took longer than its ${budget.limits.timeoutMs} ms`
    : `took longer than its ${timeoutMs} ms`
  return within(reading, endsWithRun ? budget.leftMs : timeoutMs, () => new ProviderFailure(message, true))
}

/**
 * The trigger and the definition of the request are part of the key, so neither another trigger nor a changed request gets
 * the result; nor does a provider with another `retry`, which may not accept it.
 */
function resultKey(provider: Provider, call: Call): string {
  const { context, definition, responseBytesMax } = call
  const key = provider.cache?.key ?? [requestOf(provider), rulesOf(provider).scopeOf?.(call) ?? []]
  const request = [requestOf(definition), retryOf(provider)]
  return hashOf(JSON.stringify([context.trigger, context.boundSource, responseBytesMax, request, key]))
}

type PlainResult = { value: unknown; bytes: number }

/** Turns a provider's result into plain JSON that can be stored. Fails if it is too large or nested too deeply. */
function toPlainResult(result: unknown, bytesMax: number): PlainResult {
  const text = toJson(result)
  const bytes = Buffer.byteLength(text)
  if (bytes > bytesMax) throw new ProviderFailure(`the result is ${bytes} bytes, more than the ${bytesMax} allowed`)
  const parsed: unknown = JSON.parse(text)
  const value = /\\u(?:0000|d[89a-f])/i.test(text) ? withStorableTexts(parsed) : parsed
  const unsafe = findUnsafe(value)
  if (unsafe) throw new ProviderFailure(`the result ${unsafe.message}`)
  return { value, bytes }
}

function toJson(result: unknown): string {
  try {
    return stringify(result ?? null)
  } catch (error) {
    if (error instanceof RangeError) throw new ProviderFailure('the result is nested too deeply')
    throw error
  }
}

/** A function for each value takes far longer, and most results have no integer that needs it. */
function stringify(result: unknown): string {
  try {
    return JSON.stringify(result)
  } catch (error) {
    if (error instanceof TypeError) return JSON.stringify(result, bigintAsText)
    throw error
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** PostgreSQL cannot store NUL or half a surrogate pair, and texts on chains are often padded with NUL. */
function withStorableTexts(root: unknown): unknown {
  if (typeof root === 'string') return storable(root)
  const open = [root]
  const visit = (holder: object, name: string | number, value: unknown) => {
    if (typeof value === 'string') Reflect.set(holder, name, storable(value))
    else if (typeof value === 'object' && value !== null) open.push(value)
  }
  for (const holder of open) {
    if (Array.isArray(holder)) for (const [index, value] of holder.entries()) visit(holder, index, value)
    else if (typeof holder === 'object' && holder !== null)
      for (const [name, value] of Object.entries(holder)) visit(holder, name, value)
  }
  return root
}

function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
