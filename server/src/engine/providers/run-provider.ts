import type { Issue, Provider } from '@tocsin/contract'
import { within } from '../base/deadline.ts'
import { RpcError } from '../outbound/json-rpc.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { ScriptLog } from '../script/index.ts'
import type { Budget } from './budget.ts'
import { callProvider } from './call.ts'
import { type Call, OverloadFailure, type ProviderDebug, ProviderFailure } from './context.ts'
import { describeRequest } from './describe.ts'
import { memoKey, readThroughMemo } from './memo.ts'
import { toPlainResult } from './plain-result.ts'
import { withPriceAge } from './price-age.ts'
import { type RenderedProvider, renderProvider } from './render.ts'
import { resultKey } from './result-key.ts'
import { requireMet, retryOf, UnmetResult } from './retry.ts'
import { runScript } from './run-script.ts'
import { maskSecrets, openSecretsFor, type Secrets } from './secrets.ts'

const timeoutDefaultMs = 10_000

/** What a provider may use: the run's context, the providers before it and their results, and the budget of the run. */
export type ProviderTurn = Pick<Call, 'context' | 'earlier' | 'values'> & { budget: Budget; logs: ScriptLog[] }
export type ProviderOutcome = {
  value?: unknown
  issue?: Issue
  isTransient?: boolean
  isOverload?: boolean
  /** Why the result or the failure asks for another attempt. */
  unmet?: string
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
    request = describeRequest(rendered.provider)
    return { value: await fetchValue(rendered.provider, definition, turn), request }
  } catch (error) {
    if (error instanceof UnmetResult) return { value: error.value, unmet: error.message, request }
    if (!(error instanceof UpstreamError || error instanceof ProviderFailure)) throw error
    const issue = { path, message: error.message }
    const isRetried = path === '' && isHttpError(error) && retryOf(definition)?.retryOn?.includes('http_error')
    const isOverload = error instanceof OverloadFailure
    return { issue, isTransient: isTransient(error), isOverload, request, ...(isRetried && { unmet: error.message }) }
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
  return withPriceAge(provider, value, context.nowMs ?? context.askedAtMs ?? 0)
}

/** Equal reads of one block are made once. */
function readShared(provider: Provider, call: Call): Promise<unknown> {
  const { memo, at } = call.context
  const key = memo && memoKey(provider, at, call.responseBytesMax)
  return memo && key ? readThroughMemo(memo, key, () => callProvider(provider, call)) : callProvider(provider, call)
}

function withinBudget(reading: Promise<unknown>, timeoutMs: number, budget: Budget): Promise<unknown> {
  const endsWithRun = budget.leftMs < timeoutMs
  const message = endsWithRun
    ? `the run took longer than its ${budget.limits.timeoutMs} ms`
    : `took longer than its ${timeoutMs} ms`
  return within(reading, endsWithRun ? budget.leftMs : timeoutMs, () => new ProviderFailure(message, true))
}
