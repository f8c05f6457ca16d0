/** Providers fetch, compute or keep what the source item does not hold: one file per type, run in order. */

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
import { type RenderedProvider, renderProvider } from './render.ts'
import { maskSecrets, type Secrets, secretsFor } from './secrets.ts'

export type { ProviderDebug, ProvidersContext } from './context.ts'
export type { ReadMemo } from './memo.ts'
export { type OpenSecrets, openSecretsOnce, secretNames } from './secrets.ts'
export * from './state-window/index.ts'
export { applyTemplateValues } from './template-values.ts'

export type ProvidersRun = {
  ok: boolean
  /** By id; null where an optional one failed. */
  values: Record<string, unknown>
  debug: Record<string, ProviderDebug>
  issues: Issue[]
  /** What failed may go well in a moment: a node was down, a service busy. */
  isTransient: boolean
  logs: ScriptLog[]
  metrics: { providerCalls: number; bytes: number }
}

const timeoutDefaultMs = 10_000

/** In order, each seeing the results of those before it; the first failure that is not optional ends the run. */
export async function runProviders(providers: readonly Provider[], context: ProvidersContext): Promise<ProvidersRun> {
  const budget = new Budget(limitsOf(context.policy, context.weightBudget, providers.length))
  const values = new Map<string, unknown>(Object.entries(context.given ?? {}))
  const debug = new Map<string, ProviderDebug>()
  const issues: Issue[] = []
  const logs: ScriptLog[] = []
  let isTransient = false
  for (const [index, definition] of providers.entries()) {
    const earlier = providers.slice(0, index)
    const done = await runOne(definition, { context, budget, earlier, values: Object.fromEntries(values), logs })
    debug.set(definition.id, done.debug)
    values.set(definition.id, done.issue ? null : done.value)
    // Once the time of the run is over nothing after it can do its work, optional or not.
    if (!done.issue || (definition.optional && budget.leftMs > 0)) continue
    const path = context.pathOf?.(index) ?? `providers.${index}`
    isTransient = done.isTransient ?? false
    issues.push({ path: [path, done.issue.path].filter(Boolean).join('.'), message: done.issue.message })
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

type Turn = Pick<Call, 'context' | 'earlier' | 'values'> & { budget: Budget; logs: ScriptLog[] }
type Done = { value?: unknown; issue?: Issue; isTransient?: boolean; debug: ProviderDebug }

/** What a run shows of itself, and what later stages get of it, never holds the value of a secret. */
async function runOne(definition: Provider, turn: Turn): Promise<Done> {
  const secrets = await secretsFor(definition, turn.context.secrets)
  return maskSecrets(await runWith(definition, turn, secrets), secrets)
}

async function runWith(definition: Provider, turn: Turn, secrets: Secrets | undefined): Promise<Done> {
  const startedAt = performance.now()
  const debug = (error?: string, request?: ProviderDebug['request']): ProviderDebug => ({
    ok: error === undefined,
    durationMs: Math.round(performance.now() - startedAt),
    ...(request && { request }),
    ...(error !== undefined && { error }),
  })
  const { given } = turn.context
  if (given && Object.hasOwn(given, definition.id)) return { value: given[definition.id], debug: debug() }
  const rendered = renderWith(definition, turn, secrets)
  if (!rendered.ok)
    return { issue: rendered.issue, debug: debug([rendered.issue.path, rendered.issue.message].join(' ').trim()) }
  const request = describeRequest(rendered.provider)
  try {
    return { value: await fetchValue(rendered.provider, definition, turn), debug: debug(undefined, request) }
  } catch (error) {
    if (!(error instanceof UpstreamError || error instanceof ProviderFailure)) throw error
    const issue = { path: '', message: error.message }
    return { issue, isTransient: isTransient(error), debug: debug(error.message, request) }
  }
}

/** A method's own error and an address that may not be reached stay as they are. */
function isTransient(error: UpstreamError | ProviderFailure): boolean {
  if (error instanceof ProviderFailure) return error.isTransient
  return !(error instanceof RpcError) && (error.kind === 'failed' || error.kind === 'timeout')
}

function renderWith(definition: Provider, { context, values }: Turn, secrets: Secrets | undefined): RenderedProvider {
  return renderProvider(definition, { source: context.source, inputs: context.inputs, providers: values, secrets })
}

async function fetchValue(provider: Provider, definition: Provider, turn: Turn): Promise<unknown> {
  const { context, budget, earlier, values, logs } = turn
  const { responseBytesMax } = budget.limits
  const timeoutMs = provider.timeoutMs ?? timeoutDefaultMs
  budget.spend(provider)
  const log = (entry: ScriptLog) => void logs.push(entry)
  const call: Call = { context, definition, earlier, values, timeoutMs, responseBytesMax, log }
  const key = context.memo && memoKey(provider, context.at, responseBytesMax)
  // A read that others may share gets its own whole time; how long this run waits for it is another matter.
  const reading =
    context.memo && key
      ? readThroughMemo(context.memo, key, () => callProvider(provider, call))
      : callProvider(provider, call)
  const { value, bytes } = toPlainResult(await withinBudget(reading, timeoutMs, budget), responseBytesMax)
  budget.bytes += bytes
  return value
}

function withinBudget(reading: Promise<unknown>, timeoutMs: number, budget: Budget): Promise<unknown> {
  const isRunsEnd = budget.leftMs < timeoutMs
  const message = isRunsEnd
    ? `the run took longer than its ${budget.limits.timeoutMs} ms`
    : `took longer than its ${timeoutMs} ms`
  return within(reading, isRunsEnd ? budget.leftMs : timeoutMs, () => new ProviderFailure(message, true))
}
