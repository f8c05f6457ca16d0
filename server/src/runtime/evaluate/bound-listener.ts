import { bindInputs } from '../../engine/sources/bindings.ts'
import type { Match } from '../jobs/job.ts'
import type { Listener, LiveTrigger } from '../listeners/live-trigger.ts'

type Values = Record<string, unknown>

/** A binding of a trigger on several sources, and the values that it adds to the inputs. */
export type BindingOfItem = { id: string; values: Values }

/** Undefined for a trigger without sourceBindings, and for a binding without values. */
export function bindingOf({ bindingValues }: LiveTrigger, { item }: Pick<Match, 'item'>): BindingOfItem | undefined {
  if (typeof item.binding !== 'string') return undefined
  const values = bindingValues?.get(item.binding)
  return values && { id: item.binding, values }
}

/** By the values of a binding. An edit of the trigger or the subscription makes new objects. */
const bound = new WeakMap<Values, WeakMap<Listener, Listener>>()

/** The listener with the inputs that it has for items of the binding. */
export function boundListener(listener: Listener, binding: BindingOfItem | undefined): Listener {
  if (!binding) return listener
  const { id, values } = binding
  const ofValues = bound.get(values) ?? new WeakMap<Listener, Listener>()
  bound.set(values, ofValues)
  const made = ofValues.get(listener) ?? { ...listener, binding: id, inputs: bindInputs(listener.inputs, values) }
  ofValues.set(listener, made)
  return made
}
