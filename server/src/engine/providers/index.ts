/** Providers fetch, compute or store data that the source item does not have. Each type has a file; a run calls them in order. */

import type { Issue, Provider } from '@tocsin/contract'
import { readOwn } from '../base/paths.ts'
import { splitPlaceholders } from '../base/placeholders.ts'
import type { ScriptLog } from '../script/index.ts'
import { Budget, limitsOf } from './budget.ts'
import type { ProviderDebug, ProvidersContext } from './context.ts'
import type { Parking } from './parked-run.ts'
import { nextAttempt, parkedValues, retryOf } from './retry.ts'
import { type ProviderOutcome, runProvider } from './run-provider.ts'

export type { ProviderDebug, ProvidersContext, ReadMemo } from './context.ts'
export type { ParkedRun, Parking } from './parked-run.ts'
export { makeResultCache, type ResultCache } from './result-cache.ts'
export { type OpenSecrets, openSecretsOnce, secretNames } from './secrets.ts'
export * from './state-window/index.ts'

export type ProvidersRun = {
  ok: boolean
  /** Results by provider id; null if an optional provider failed. */
  values: Record<string, unknown>
  debug: Record<string, ProviderDebug>
  issues: Issue[]
  /** True if the failure may pass: a node was down or a service was busy. */
  isTransient: boolean
  /** True if this machine had no time for a script. */
  isOverload: boolean
  /** Set if the run must wait for a provider. The caller stores the state and runs again after the delay. */
  parking?: Parking
  logs: ScriptLog[]
  metrics: { providerCalls: number; bytes: number }
}

/** Calls the providers in order; each sees the results before it. The first failure of a required provider ends the run. */
export async function runProviders(
  providers: readonly Provider[],
  { given, ...rest }: ProvidersContext,
): Promise<ProvidersRun> {
  const context = { ...rest, given: { ...given, ...parkedValues(rest, providers) } }
  const budget = new Budget(limitsOf(context.policy, context.weightBudget, providers.length))
  const values = new Map<string, unknown>(Object.entries(context.given))
  const debug = new Map<string, ProviderDebug>()
  const issues: Issue[] = []
  const logs: ScriptLog[] = []
  let isTransient = false
  let isOverload = false
  let parking: Parking | undefined
  for (const [index, definition] of providers.entries()) {
    const turn = { context, budget, earlier: providers.slice(0, index), values: Object.fromEntries(values), logs }
    const attempted = await runProvider(definition, turn)
    const { unmet } = attempted
    const next = unmet && nextAttempt(context, { definition, providers, ...turn, wait: unmet.wait })
    parking = next?.parking
    const outcome = next && !parking ? giveUp(attempted, definition, next.attempts) : attempted
    debug.set(definition.id, outcome.debug)
    values.set(definition.id, outcome.issue ? null : outcome.value)
    if (parking) break
    // After the run's timeout no later provider can work, so the failure counts even if the provider is optional.
    if (!outcome.issue || (definition.optional && budget.leftMs > 0)) continue
    const path = context.pathOf?.(index) ?? `providers.${index}`
    isTransient = outcome.isTransient ?? false
    isOverload = outcome.isOverload ?? false
    issues.push({ path: [path, outcome.issue.path].filter(Boolean).join('.'), message: outcome.issue.message })
    break
  }
  return {
    ok: issues.length === 0 && !parking,
    values: Object.fromEntries(values),
    debug: Object.fromEntries(debug),
    issues,
    isTransient,
    isOverload,
    ...(parking && { parking }),
    logs,
    metrics: { providerCalls: budget.calls, bytes: budget.bytes },
  }
}

/** No attempt is left. The failure is permanent: the run is not run again. */
function giveUp(outcome: ProviderOutcome, definition: Provider, attempts: number): ProviderOutcome {
  const { value, issue, unmet, debug } = outcome
  const retry = retryOf(definition)
  if (retry?.exhausted === 'continue') return { value: issue ? null : value, debug }
  const message = retry
    ? `${unmet?.reason}; gave up after attempt ${attempts} of ${retry.attempts}`
    : `${unmet?.reason}`
  return {
    issue: { path: issue?.path ?? (retry ? 'retry' : ''), message },
    debug: { ...debug, ok: false, error: message },
  }
}

type Scope = { source: unknown; inputs: Record<string, unknown>; providers: Record<string, unknown> }
type Branch = Record<string, unknown>

/**
 * Sets the values of placeholders for the test of a single provider. A key is a path, with or without braces:
 * {"source.params.to": "0x…"}. A nested object is equivalent: {source: {params: {to: "0x…"}}}.
 */
export function applyTemplateValues(scope: Scope, templateValues: Record<string, unknown>): Scope {
  const root: Branch = { ...scope }
  for (const [key, value] of Object.entries(templateValues)) {
    const path = pathOf(key)
    if (path) setValue(root, path, value)
  }
  return { source: root.source, inputs: { ...copyOf(root.inputs) }, providers: { ...copyOf(root.providers) } }
}

function pathOf(key: string): string[] | undefined {
  const [piece] = splitPlaceholders(key.startsWith('{{') ? key : `{{${key}}}`)
  const segments = piece?.kind === 'placeholder' ? piece.reference?.segments : undefined
  if (!segments || segments.includes('__proto__')) return undefined
  return segments[0] === 'input' ? ['source', ...segments.slice(1)] : segments
}

/** Copies each object before it changes it, so that the caller's item stays unchanged. */
function setValue(branch: object, [name = '', ...rest]: string[], value: unknown): void {
  if (Array.isArray(branch) && !(/^\d+$/.test(name) && Number(name) <= branch.length)) return
  const before = readOwn(branch, name)
  if (rest.length > 0) {
    const inner = copyOf(before)
    setValue(inner, rest, value)
    Reflect.set(branch, name, inner)
    return
  }
  Reflect.set(branch, name, isBranch(before) && isBranch(value) ? merge(before, value) : value)
}

function merge(before: Branch, value: Branch): Branch {
  const all = { ...before }
  for (const [name, inner] of Object.entries(value)) setValue(all, [name], inner)
  return all
}

function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function copyOf(value: unknown): object {
  if (Array.isArray(value)) return [...value]
  return isBranch(value) ? { ...value } : {}
}
