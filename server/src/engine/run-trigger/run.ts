import type { ExecutionPolicy, Issue, Provider, TriggerSave } from '@tocsin/contract'
import type { SourceItem } from '../base/source-item.ts'
import type { ProviderDebug, ProvidersContext } from '../providers/index.ts'
import type { ScriptLog, Scripts } from '../script/index.ts'
import type { BlockRef } from '../sources/block.ts'

/** The parts of a definition that a run needs, in canonical form. */
export type RunnableTrigger = {
  providers: readonly Provider[]
  activation: TriggerSave['activation']
  transform: TriggerSave['transform']
  outputSchema?: TriggerSave['outputSchema']
  executionPolicy: ExecutionPolicy | null
}

export type RunInput = {
  source: SourceItem
  inputs: Record<string, unknown>
  /** The moment that scripts see: the block's, or the tick's. */
  nowMs: number
  at?: BlockRef | undefined
  /** Values that stand in for the providers, which then are not called. */
  providersData?: Record<string, unknown> | undefined
}

/** All that a run may touch. */
export type RunWorld = {
  scripts: Scripts
  /** How many outputs one match may have; a run with more fails. */
  outputsMax: number
  providers: Omit<ProvidersContext, 'source' | 'inputs' | 'at' | 'nowMs' | 'policy' | 'given'>
}

export type Output = { raw: unknown; human: unknown }
export type RunDebug = {
  activated?: boolean
  providers: Record<string, ProviderDebug>
  logs: ScriptLog[]
  timings: Record<string, number>
  metrics: { providerCalls: number; bytes: number }
}
export type Run = {
  debug: RunDebug
  issues: Issue[]
  providers: Record<string, unknown>
} /** Transient: a node that is down, a service that is busy. The same may go well in a moment. */ & (
  | { kind: 'failed'; isTransient: boolean }
  | { kind: 'inactive' }
  /** The transform said that there is nothing to tell. */
  | { kind: 'nothing' }
  | { kind: 'output'; outputs: Output[] }
)

/** A run on its way through the stages; a stage that ends it sets its kind. */
export type Going = {
  input: RunInput
  providers: Record<string, unknown>
  outputs: Output[]
  kind: Run['kind'] | undefined
  issues: Issue[]
  isTransient: boolean
  debug: RunDebug
}

export function fail(run: Going, ...issues: Issue[]): void {
  run.kind = 'failed'
  run.issues.push(...issues)
}
