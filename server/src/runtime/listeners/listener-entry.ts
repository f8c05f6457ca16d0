import type { SourceBinding } from '@tocsin/contract'
import type { SourceItem } from '../../engine/base/source-item.ts'
import {
  compileEarlyFilter,
  compileEarlyTriggerFilter,
  joinRequirements,
  type Requirement,
  type Requirements,
  readRequirements,
  readTriggerRequirements,
} from '../../engine/conditions/index.ts'
import type { IndexEntry, MatchKeys } from '../../engine/match/index.ts'
import { bindInputs, bindingFields } from '../../engine/sources/bindings.ts'
import type { ItemReader } from '../../engine/sources/raw-items.ts'
import type { BoundSource, Listener, RegisteredTrigger } from './live-trigger.ts'

/** The trigger that an entry belongs to, with the number that the collector of matches gave it. */
export type NumberedTrigger = { trigger: RegisteredTrigger; sources: readonly IndexedSource[]; number: number }
/** A source of the trigger. `reader` makes its items, with the fields of its binding. */
export type IndexedSource = BoundSource & { reader: ItemReader }
/** One of a trigger's keys: its position among all keys of the trigger on this source, and the binding that it comes from. */
export type NumberedKeys = IndexedSource & { keyNumber: number; keys: MatchKeys }

/**
 * A listener in the index, under one of its trigger's keys. Without a listener it stands for the triggers that listen to
 * the outputs. What each hit needs is in the entry itself: a hit then loads one object from memory.
 */
export class ListenerEntry implements IndexEntry {
  readonly triggerNumber: number
  readonly trigger: RegisteredTrigger
  readonly listenerKey: string | undefined
  /** The position of the key among the keys of the trigger's spec. */
  readonly keyNumber: number
  readonly keys: MatchKeys
  readonly reader: ItemReader
  readonly binding: SourceBinding | undefined
  readonly #listener: Listener | undefined
  #earlyFilter: ((item: unknown) => boolean) | undefined

  constructor(
    { trigger, number }: Pick<NumberedTrigger, 'trigger' | 'number'>,
    listener: Listener | undefined,
    { reader, binding, keyNumber, keys }: NumberedKeys,
  ) {
    this.triggerNumber = number
    this.trigger = trigger
    this.listenerKey = listener?.key
    this.keyNumber = keyNumber
    this.keys = keys
    this.reader = reader
    this.binding = binding
    this.#listener = listener
  }

  get id(): string {
    return entryId(this.trigger, this.#listener, this.keyNumber)
  }

  get decoder(): unknown {
    return this.reader.decoder ?? this.reader
  }

  /** The same item may match several bindings of a trigger, and is another item in each. */
  keyOf(key: string): string {
    return this.binding ? `${key}:${this.binding.id}` : key
  }

  /** Computed only when the entry is added and removed. Keeping them for 100,000 entries would cost more memory. */
  get requirements(): Requirements['requirements'] {
    return requirementsFor(this.trigger, this.#listener, this.binding).requirements
  }

  get requirementsSuffice(): boolean {
    return requirementsFor(this.trigger, this.#listener, this.binding).requirementsSuffice
  }

  /** Compiled for the first item: most entries are decided by their requirements and never need the filter. */
  passes(item: SourceItem): boolean {
    this.#earlyFilter ??= earlyFilterOf(this.trigger, this.#listener, this.binding)
    return this.#earlyFilter(item)
  }
}

/** The number comes first, because the author of a rule chooses the end of an id: a numbered end could equal another id. */
export function entryId(trigger: RegisteredTrigger, listener: Listener | undefined, keyNumber: number): string {
  const id = listener?.key ?? `stream ${trigger.id}`
  return keyNumber === 0 ? id : `${keyNumber} ${id}`
}

const noRequirements: Requirements = { requirements: [], requirementsSuffice: true }

const noInputs: Record<string, unknown> = {}

/** The conditions of the trigger and of the listener must both hold. The run of a stream has no inputs of a subscription. */
function requirementsFor(
  trigger: RegisteredTrigger,
  listener: Listener | undefined,
  binding: SourceBinding | undefined,
): Requirements {
  const { isOrdered, definition, runnable } = trigger
  if (isOrdered) return noRequirements
  const inputs = bindInputs(listener?.inputs ?? noInputs, binding?.values)
  const ofTrigger = readTriggerRequirements(runnable.conditions, inputs)
  const { filtersSchema = {} } = definition
  const isOfTriggerAlone = !listener || needsUnmetItems(listener)
  const both = isOfTriggerAlone
    ? ofTrigger
    : joinRequirements(ofTrigger, readRequirements(listener.conditions, { filtersSchema, inputs }))
  return binding ? withoutBindingFields(both) : both
}

/** A raw item lacks the fields of its binding, so the early filter checks them on the decoded item. */
function withoutBindingFields({ requirements, requirementsSuffice }: Requirements): Requirements {
  const isOfRawItem = (list: readonly Requirement[]) => !list.some(({ path }) => bindingFields.has(path))
  const answered = requirements.filter(isOfRawItem)
  const isWhole = answered.length === requirements.length
  return { requirements: answered, requirementsSuffice: requirementsSuffice && isWhole }
}

/** A filter that is false if the item alone shows that it cannot cause an alert for the listener. */
export function earlyFilterOf(
  trigger: RegisteredTrigger,
  listener: Listener | undefined,
  binding?: SourceBinding,
): (item: unknown) => boolean {
  const { isOrdered, definition, runnable } = trigger
  if (isOrdered) return () => true
  const inputs = bindInputs(listener?.inputs ?? noInputs, binding?.values)
  const passesTrigger = compileEarlyTriggerFilter(runnable.conditions, inputs)
  if (!listener || needsUnmetItems(listener)) return passesTrigger
  const { filtersSchema = {} } = definition
  const passesListener = compileEarlyFilter(listener.conditions, { filtersSchema, inputs })
  if (runnable.conditions === null) return passesListener
  return (item) => passesTrigger(item) && passesListener(item)
}

/** A monitor also needs outputs that do not meet the listener's conditions. A state window needs all items of its trigger. */
function needsUnmetItems({ policy }: Listener): boolean {
  return policy?.type === 'monitor'
}
