/** What the conditions of a trigger and its listener demand of an item: for the index, and as filters of decoded items. */
import { type Condition, policyOfType, type SourceBinding } from '@tocsin/contract'
import {
  type Requirement,
  type Requirements,
  readRequirements,
  readTriggerRequirements,
} from '../../engine/conditions/requirements.ts'
import { compileEarlyFilter, compileEarlyTriggerFilter } from '../../engine/conditions/trigger-conditions.ts'
import { bindInputs, bindingFields } from '../../engine/sources/bindings.ts'
import type { Listener, RegisteredTrigger } from './live-trigger.ts'

export type ItemFilter = (item: unknown) => boolean

const noInputs: Record<string, unknown> = {}

/** What the conditions of the trigger and of the listener demand. The run of a stream has no inputs of a subscription. */
export function demandsOf(
  trigger: RegisteredTrigger,
  listener: Listener | undefined,
  binding: SourceBinding | undefined,
): Requirements[] {
  const { isOrdered, definition, runnable } = trigger
  if (isOrdered) return []
  const inputs = bindInputs(listener?.inputs ?? noInputs, binding?.values)
  const ofTrigger = readTriggerRequirements(runnable.conditions, inputs)
  if (!listener || needsUnmetItems(listener)) return [ofTrigger]
  const { filtersSchema = {} } = definition
  return [ofTrigger, readRequirements(listener.conditions, { filtersSchema, inputs })]
}

export function isOfRawItem(list: readonly Requirement[]): boolean {
  return !list.some(({ path }) => bindingFields.has(path))
}

/** A filter that is false if the item alone shows that it cannot cause an alert for the listener. */
export function earlyFilterOf(
  trigger: RegisteredTrigger,
  listener: Listener | undefined,
  binding?: SourceBinding,
): ItemFilter {
  const { conditions } = trigger.runnable
  return filterOf(trigger, listener, binding, {
    ofTrigger: conditions ?? null,
    ofListener: listener?.conditions ?? null,
  })
}

/** The early filter without what the requirements express. */
export function restFilterOf(
  trigger: RegisteredTrigger,
  listener: Listener | undefined,
  binding: SourceBinding | undefined,
): ItemFilter {
  const [ofTrigger, ofListener] = demandsOf(trigger, listener, binding).map(({ rest }) => allOf(rest))
  const { conditions } = trigger.runnable
  // All listeners share the compiled conditions of the trigger, but not those of its rest.
  return filterOf(trigger, listener, binding, {
    ofTrigger: ofTrigger ? (conditions ?? null) : null,
    ofListener: ofListener ?? null,
  })
}

/** Thousands of candidates of one item load their filters from memory, so a single condition stays as it is. */
function allOf(conditions: readonly Condition[]): Condition | null {
  const [only, ...others] = conditions
  if (!only) return null
  return others.length === 0 ? only : { all: [only, ...others] }
}

function filterOf(
  { isOrdered, definition }: RegisteredTrigger,
  listener: Listener | undefined,
  binding: SourceBinding | undefined,
  { ofTrigger, ofListener }: { ofTrigger: Condition | null; ofListener: Condition | null },
): ItemFilter {
  if (isOrdered) return () => true
  const inputs = bindInputs(listener?.inputs ?? noInputs, binding?.values)
  const passesTrigger = compileEarlyTriggerFilter(ofTrigger, inputs)
  if (!listener || needsUnmetItems(listener)) return passesTrigger
  const { filtersSchema = {} } = definition
  const passesListener = compileEarlyFilter(ofListener, { filtersSchema, inputs })
  if (ofTrigger === null) return passesListener
  return (item) => passesTrigger(item) && passesListener(item)
}

/** Some policies also need outputs that do not meet the listener's conditions. A state window needs all items of its trigger. */
function needsUnmetItems({ policy }: Listener): boolean {
  return policyOfType(policy?.type)?.needsUnmet === true
}
