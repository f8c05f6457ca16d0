import type { ExecutionPolicy, Provider } from '@tocsin/contract'
import { ProviderFailure } from './context.ts'
import { rulesOf } from './list.ts'

export function weightOf(provider: Provider): number {
  return provider.weight ?? rulesOf(provider).weight
}

export type Limits = { callsMax: number; timeoutMs: number; responseBytesMax: number; weightMax: number }

/** The operator may allow more than 20 providers per trigger. Without a policy, a run may call each of them once. */
export function limitsOf(
  policy: ExecutionPolicy | null | undefined,
  weightBudget: number | undefined,
  providers: number,
): Limits {
  return {
    callsMax: policy?.maxProviderCallsPerRun ?? Math.max(20, providers),
    timeoutMs: policy?.timeoutMs ?? 10_000,
    responseBytesMax: policy?.maxResponseBytes ?? 262_144,
    weightMax: weightBudget ?? Number.POSITIVE_INFINITY,
  }
}

/** The resources that a run has used so far. */
export class Budget {
  readonly limits: Limits
  readonly #endsAt: number
  calls = 0
  bytes = 0
  #weight = 0

  constructor(limits: Limits) {
    this.limits = limits
    this.#endsAt = performance.now() + limits.timeoutMs
  }

  get leftMs(): number {
    return Math.max(0, Math.floor(this.#endsAt - performance.now()))
  }

  spend(provider: Provider): void {
    const { callsMax, weightMax } = this.limits
    this.#weight += weightOf(provider)
    if (this.calls >= callsMax) throw new ProviderFailure(`the run may call at most ${callsMax} providers`)
    if (this.#weight > weightMax)
      throw new ProviderFailure(`the weights of the providers exceed the limit of ${weightMax}`)
    this.calls += 1
  }
}
