import type { TriggerSave, TriggerStatus } from '@tocsin/contract'
import { type Warning, warnOfSpec } from '../../engine/check/index.ts'
import { bindingWarningOf } from '../../store/triggers/trigger-bindings.ts'
import { isSameStatus, sourceMissing, stamped, statusAfterSave } from '../../store/triggers/trigger-status.ts'
import type { TriggerContent, WholeTrigger } from '../../store/triggers/triggers.ts'
import type { Caller } from '../find-source.ts'
import { bindingsAfterSave } from './bindings.ts'
import { definitionOf, hasSameBehaviour } from './content.ts'
import { factoriesOf, hasUnlearned } from './factories.ts'
import { findLostPart } from './lost-part.ts'
import { findListening, hasSameStream, type Listening } from './sources.ts'

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
      : await findListening(caller, definition)
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
