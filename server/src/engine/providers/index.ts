/** Providers fetch, compute or store data that the source item does not have. Each type has a file; a run calls them in order. */

import type { Issue, Provider } from '@tocsin/contract'
import { within } from '../base/deadline.ts'
import { RpcError } from '../outbound/json-rpc.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { ScriptLog } from '../script/index.ts'
import { Budget, limitsOf } from './budget.ts'
import { callProvider } from './call.ts'
import { type Call, type ProviderDebug, ProviderFailure, type ProvidersContext } from './context.ts'
import { describeRequest } from './describe.ts'
import { memoKey, readThroughMemo } from './memo.ts'
import { toPlainResult } from './plain-result.ts'
import { withPriceAge } from './price-age.ts'
import { type RenderedProvider, renderProvider } from './render.ts'
import { resultKey } from './result-key.ts'
import { runScript } from './run-script.ts'
import { maskSecrets, openSecretsFor, type Secrets } from './secrets.ts'

export type { ProviderDebug, ProvidersContext } from './context.ts'
export type { ReadMemo } from './memo.ts'
export { makeResultCache, type ResultCache } from './result-cache.ts'
export { type OpenSecrets, openSecretsOnce, secretNames } from './secrets.ts'
export * from './state-window/index.ts'
export { applyTemplateValues } from './template-values.ts'

export type ProvidersRun = {
  ok: boolean
  /** Results by provider id; null if an optional provider failed. */
  values: Record<string, unknown>
  debug: Record<string, ProviderDebug>
  issues: Issue[]
  /** True if the failure may pass: a node was down or a service was busy. */
  isTransient: boolean
  logs: ScriptLog[]
  metrics: { providerCalls: number; bytes: number }
}

const timeoutDefaultMs = 10_000

/** Calls the providers in order; each sees the results before it. The first failure of a required provider ends the run. */
export async function runProviders(providers: readonly Provider[], context: ProvidersContext): Promise<ProvidersRun> {
  const budget = new Budget(limitsOf(context.policy, context.weightBudget, providers.length))
  const values = new Map<string, unknown>(Object.entries(context.given ?? {}))
  const debug = new Map<string, ProviderDebug>()
  const issues: Issue[] = []
  const logs: ScriptLog[] = []
  let isTransient = false
  for (const [index, definition] of providers.entries()) {
    const earlier = providers.slice(0, index)
    const outcome = await runProvider(definition, {
      context,
      budget,
      earlier,
      values: Object.fromEntries(values),
      logs,
    })
    debug.set(definition.id, outcome.debug)
    values.set(definition.id, outcome.issue ? null : outcome.value)
    // After the run's timeout no later provider can work, so the failure counts even if the provider is optional.
    if (!outcome.issue || (definition.optional && budget.leftMs > 0)) continue
    const path = context.pathOf?.(index) ?? `providers.${index}`
    isTransient = outcome.isTransient ?? false
    issues.push({ path: [path, outcome.issue.path].filter(Boolean).join('.'), message: outcome.issue.message })
    break
  }
  return {
    ok: issues.length === 0,
    values: Object.fromEntries(values),
    debug: Object.fromEntries(debug),
    issues,
    isTransient,
    logs,
    metrics: { providerCalls: budget.calls, bytes: budget.bytes },
  }
}

type ProviderTurn = Pick<Call, 'context' | 'earlier' | 'values'> & { budget: Budget; logs: ScriptLog[] }
type ProviderOutcome = { value?: unknown; issue?: Issue; isTransient?: boolean; debug: ProviderDebug }

/** Masks the secrets in the result and the debug data, so that no later stage sees them. */
async function runProvider(definition: Provider, turn: ProviderTurn): Promise<ProviderOutcome> {
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
    if (!(error instanceof UpstreamError || error instanceof ProviderFailure)) throw error
    return { issue: { path, message: error.message }, isTransient: isTransient(error), request }
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
      ? context.cache.read(resultKey(provider, call), provider.cache.ttlMs, async () =>
          toPlainResult(await readShared(provider, call), responseBytesMax),
        )
      : readShared(provider, call)
  const { value, bytes } = toPlainResult(await withinBudget(reading, timeoutMs, budget), responseBytesMax)
  budget.bytes += bytes
  return withPriceAge(provider, value, context.nowMs)
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
