import type { ExecutionPolicy, Issue, Provider, TriggerSave } from '@tocsin/contract'
import type { SourceItem } from '../base/source-item.ts'
import type { ConditionPart } from '../conditions/trigger-conditions.ts'
import type { ParkedRun, Parking, ProviderDebug, ProvidersContext } from '../providers/index.ts'
import type { ScriptLog, ScriptNetwork, Scripts } from '../script/index.ts'
import type { BlockRef } from '../sources/block.ts'

/** The parts of a definition that a run needs, in canonical form. */
export type RunnableTrigger = {
  providers: readonly Provider[]
  activation: TriggerSave['activation']
  conditions?: TriggerSave['conditions']
  transform: TriggerSave['transform']
  outputSchema?: TriggerSave['outputSchema']
  executionPolicy: ExecutionPolicy | null
}

export type RunInput = {
  source: SourceItem
  inputs: Record<string, unknown>
  /** The time that scripts see: that of the block or of the timer tick. A sample that a person wrote may have none. */
  nowMs: number | undefined
  at?: BlockRef | undefined
  /** Results to use instead of calling the providers. */
  providersData?: Record<string, unknown> | undefined
  /** The state of a run that waited for a provider. */
  parked?: ParkedRun | undefined
}

/** The services that a run uses. */
export type RunContext = {
  scripts: Scripts
  /** The largest number of outputs of one match. A run with more fails. */
  outputsMax: number
  /** Explains each part of the conditions in `debug`. Then the providers run even if the source item decides. */
  explainsConditions?: boolean
  /** What scripts can show of the network of these items. Absent where there is no source. */
  networkOf?(items: readonly SourceItem[]): Promise<(item: SourceItem) => ScriptNetwork | undefined>
  /** Adds what the block of an item does not tell: why a call failed. The item itself stays as it is. */
  needsMore?(item: SourceItem): boolean
  completeItem?(item: SourceItem): Promise<SourceItem>
  providers: Omit<ProvidersContext, 'source' | 'inputs' | 'at' | 'nowMs' | 'policy' | 'given' | 'parked'>
}

export type Output = { raw: unknown; human: unknown }
export type RunDebug = {
  activated?: boolean
  conditions?: ConditionPart[]
  providers: Record<string, ProviderDebug>
  logs: ScriptLog[]
  timings: Record<string, number>
  metrics: { providerCalls: number; bytes: number }
}
export type Run = {
  debug: RunDebug
  issues: Issue[]
  providers: Record<string, unknown>
} /**
 * `isTransient` is true if the same run may succeed later: a node was down or a service was busy. `isOverload` is true if
 * this machine had no time for it.
 */ & (
  | { kind: 'failed'; isTransient: boolean; isOverload: boolean }
  /** The run waits for a provider: the caller runs it again from this state after the delay. */
  | { kind: 'parked'; parking: Parking }
  /** The run has not begun, because an earlier item of an ordered trigger is parked. */
  | { kind: 'held' }
  | { kind: 'inactive' }
  /** The transform returned null: there is no output. */
  | { kind: 'nothing' }
  /** `item` is the source item with what was added to it. */
  | { kind: 'output'; outputs: Output[]; item: SourceItem }
)

/** A run in progress. The stage that ends it sets its kind. */
export type OngoingRun = {
  input: RunInput
  providers: Record<string, unknown>
  outputs: Output[]
  kind: Run['kind'] | undefined
  parking: Parking | undefined
  issues: Issue[]
  isTransient: boolean
  isOverload: boolean
  debug: RunDebug
}

export function fail(run: OngoingRun, ...issues: Issue[]): void {
  run.kind = 'failed'
  run.issues.push(...issues)
}
