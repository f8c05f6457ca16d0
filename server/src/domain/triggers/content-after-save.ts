import type { SourceBinding, TriggerSave, TriggerSpec, TriggerStatus } from '@tocsin/contract'
import { type Warning, warnOfSpec } from '../../engine/check/index.ts'
import { bindSpec } from '../../engine/sources/bindings.ts'
import { rulesOfSpec } from '../../engine/sources/chains.ts'
import type { BindingFailure, LostPart, SourceStatus } from '../../store/core/tables.ts'
import type { SavedFactory } from '../../store/following/factories.ts'
import type { Store } from '../../store/index.ts'
import { bindingWarningOf, type StoredBinding } from '../../store/triggers/trigger-bindings.ts'
import {
  isSameStatus,
  partLost,
  reasonOfPart,
  sourceMissing,
  sourceUnavailable,
  stamped,
  statusAfterSave,
} from '../../store/triggers/trigger-status.ts'
import type { TriggerContent, WholeTrigger } from '../../store/triggers/triggers.ts'
import { type Caller, isReadableSource } from '../find-source.ts'
import { definitionOf, hasSameBehaviour } from './content.ts'
import { findListening, hasSameStream, type Listening, noSuchSource } from './sources.ts'

/** The columns that a save writes, given the stored trigger. */
export async function contentAfterSave(
  caller: Caller,
  before: WholeTrigger | undefined,
  payload: TriggerSave,
  now: Date,
): Promise<TriggerContent> {
  const { providers, tags, labels, meta } = payload
  const definition = definitionOf(payload)
  const isSameStream = before !== undefined && hasSameStream(before.definition, definition)
  const listening =
    isSameStream && before.status.reasonCode !== sourceMissing
      ? storedListening(before)
      : await findListening(caller, definition, payload.workspace)
  const isSameBehaviour = before !== undefined && hasSameBehaviour(before, { definition, providers })
  const bindings = await bindingsAfterSave(caller, before, payload, isSameBehaviour)
  const bindingWarning = bindingWarningOf(bindings, now)
  const warning = await warnOfSpec(payload.triggerSpec, 'triggerSpec')
  const definitionWarning = warning ? warningStatus(before, warning, now) : null
  const missing = listening.missing?.message
  const lost = await findLostPart(caller.store, listening.dataSource, payload.triggerSpec)
  const factories = factoriesOf(payload.triggerSpec, payload.sourceBindings)
  const isLearning = await hasUnlearned(caller.store, before?.id, factories)
  const save = { missing, lost, isLearning, isSameStream, isSameBehaviour, bindingWarning, definitionWarning }
  const status = statusAfterSave(before?.status, { ...save, sent: payload.status }, now)
  const warnings = { definitionWarning, bindingWarning }
  return {
    definition,
    providers,
    dataSource: listening.dataSource,
    bindings,
    factories,
    status,
    ...warnings,
    tags,
    labels,
    meta,
  }
}

/** The author who chose the source could read it. Another developer who edits the rest need not be able to. */
function storedListening(before: WholeTrigger): Listening {
  return { dataSource: before.data_source }
}

/** A warning of the definition as a status. The time of an equal stored warning stays. */
function warningStatus(before: WholeTrigger | undefined, { reasonCode, message }: Warning, now: Date): TriggerStatus {
  const status = { status: 'warning' as const, issue: message, reasonCode, source: 'edit' as const }
  const stored = before?.definition_warning
  return stored && isSameStatus(stored, status) ? stored : stamped(status, now)
}

/** The factories that a definition names, one for each of its sources, with the first block that counts. */
function factoriesOf(spec: TriggerSpec | null, bindings: readonly SourceBinding[] | undefined): SavedFactory[] {
  if (!spec || !('dataSource' in spec)) return []
  const found = new Map<string, SavedFactory>()
  for (const bound of bindings?.map((binding) => bindSpec(spec, binding)) ?? [spec]) {
    const factory = rulesOfSpec(bound.type)?.factoryOf?.(bound)
    if (!factory) continue
    const { key, fromBlock = null } = factory
    found.set(`${bound.dataSource} ${key}`, { source: bound.dataSource, factory: key, fromBlock })
  }
  return [...found.values()]
}

/** True if the contracts of one of these factories are not known yet. */
async function hasUnlearned(
  store: Store,
  triggerId: string | undefined,
  factories: readonly SavedFactory[],
): Promise<boolean> {
  for (const { source, factory } of factories) {
    const stored = triggerId === undefined ? undefined : await store.factories.find({ triggerId, source, factory })
    if (!stored?.isLearned) return true
  }
  return false
}

/**
 * The bindings that a save stores. An unchanged binding keeps its failure, because only its source ends it: another
 * developer who edits the rest need not be able to read the source. A part that cannot be read is judged again after an
 * edit, since the trigger may read another part now.
 */
async function bindingsAfterSave(
  caller: Caller,
  before: WholeTrigger | undefined,
  { sourceBindings: bindings, triggerSpec }: Pick<TriggerSave, 'sourceBindings' | 'triggerSpec'>,
  isSameBehaviour: boolean,
): Promise<StoredBinding[]> {
  if (!bindings) return []
  const stored = before ? await caller.store.triggerBindings.list(before.id) : []
  const after: StoredBinding[] = []
  for (const { id, dataSource } of bindings) {
    const known = stored.find((each) => each.id === id && each.source === dataSource)
    const isKept = known && !isJudgedAgain(known.failure, isSameBehaviour)
    const failure = isKept ? known.failure : await findFailure(caller, dataSource)
    const ofPart = failure ? null : await findPartFailure(caller, dataSource, triggerSpec)
    after.push({ id, source: dataSource, failure: failure ?? ofPart })
  }
  return after
}

function isJudgedAgain(failure: BindingFailure | null, isSameBehaviour: boolean): boolean {
  if (failure?.reasonCode === sourceMissing) return true
  return !isSameBehaviour && failure !== null && failure.reasonCode.startsWith(partLost)
}

async function findFailure(caller: Caller, source: string): Promise<BindingFailure | null> {
  if (!(await isReadableSource(caller, source))) return { reasonCode: sourceMissing, issue: noSuchSource(source) }
  const status = await findStatus(caller, source)
  if (status?.status !== 'error') return null
  const issue = `The data source "${source}" is in error: ${status.message ?? 'its nodes do not answer'}`
  return { reasonCode: sourceUnavailable, issue }
}

async function findPartFailure(
  { store }: Caller,
  source: string,
  spec: TriggerSave['triggerSpec'],
): Promise<BindingFailure | null> {
  const lost = await findLostPart(store, source, spec)
  return lost ? { reasonCode: reasonOfPart(lost.part), issue: lost.issue } : null
}

async function findStatus({ store, account, settings }: Caller, source: string): Promise<SourceStatus | undefined> {
  if (settings.networks.some(({ fullname }) => fullname === source))
    return (await store.followers.find(source))?.state.status
  return (await store.customSources.findReadable(source, account.id))?.status
}

/** The part of the source's blocks that the spec needs and that is known to be unreadable. */
async function findLostPart(
  store: Store,
  source: string | null,
  spec: Record<string, unknown> | null,
): Promise<LostPart | undefined> {
  if (source === null || !spec) return undefined
  const { unreadable = [] } = (await store.followers.find(source))?.state ?? {}
  return unreadable.find(
    ({ specTypes, specFlag }) =>
      specTypes.includes(String(spec.type)) && (specFlag === undefined || String(spec[specFlag[0]]) === specFlag[1]),
  )
}
