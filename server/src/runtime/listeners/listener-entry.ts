import type { SourceItem } from '../../engine/base/source-item.ts'
import {
  compileEarlyFilter,
  compileEarlyTriggerFilter,
  joinRequirements,
  type Requirements,
  readRequirements,
  readTriggerRequirements,
} from '../../engine/conditions/index.ts'
import type { IndexEntry, MatchKeys } from '../../engine/match/index.ts'
import type { SpecItems } from '../../engine/sources/raw-items.ts'
import type { Listener, RegisteredTrigger } from './live-trigger.ts'

/** The trigger that an entry belongs to, with the number that the collector of matches gave it. */
export type NumberedTrigger = { trigger: RegisteredTrigger; items: SpecItems; number: number }

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
  readonly items: SpecItems
  readonly #listener: Listener | undefined
  #earlyFilter: ((item: unknown) => boolean) | undefined

  constructor(
    { trigger, items, number }: NumberedTrigger,
    listener: Listener | undefined,
    keyNumber: number,
    keys: MatchKeys,
  ) {
    this.triggerNumber = number
    this.trigger = trigger
    this.listenerKey = listener?.key
    this.keyNumber = keyNumber
    this.keys = keys
    this.items = items
    this.#listener = listener
  }

  get id(): string {
    return entryId(this.trigger, this.#listener, this.keyNumber)
  }

  get decoder(): unknown {
    return this.items.decoder ?? this.items
  }

  /** Computed only when the entry is added and removed. Keeping them for 100,000 entries would cost more memory. */
  get requirements(): Requirements['requirements'] {
    return requirementsFor(this.trigger, this.#listener).requirements
  }

  get requirementsSuffice(): boolean {
    return requirementsFor(this.trigger, this.#listener).requirementsSuffice
  }

  /** Compiled for the first item: most entries are decided by their requirements and never need the filter. */
  passes(item: SourceItem): boolean {
    this.#earlyFilter ??= earlyFilterOf(this.trigger, this.#listener)
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

/** The conditions of the trigger and of the listener must both hold. The run of a stream has no inputs. */
function requirementsFor(trigger: RegisteredTrigger, listener: Listener | undefined): Requirements {
  const { isOrdered, definition, runnable } = trigger
  if (isOrdered) return noRequirements
  const ofTrigger = readTriggerRequirements(runnable.conditions, listener?.inputs ?? noInputs)
  if (!listener || needsUnmetItems(listener)) return ofTrigger
  const { filtersSchema = {} } = definition
  return joinRequirements(ofTrigger, readRequirements(listener.conditions, { filtersSchema, inputs: listener.inputs }))
}

/** A filter that is false if the item alone shows that it cannot cause an alert for the listener. */
export function earlyFilterOf(trigger: RegisteredTrigger, listener: Listener | undefined): (item: unknown) => boolean {
  const { isOrdered, definition, runnable } = trigger
  if (isOrdered) return () => true
  const passesTrigger = compileEarlyTriggerFilter(runnable.conditions, listener?.inputs ?? noInputs)
  if (!listener || needsUnmetItems(listener)) return passesTrigger
  const { filtersSchema = {} } = definition
  const passesListener = compileEarlyFilter(listener.conditions, { filtersSchema, inputs: listener.inputs })
  return (item) => passesTrigger(item) && passesListener(item)
}

/** A monitor also needs outputs that do not meet the listener's conditions. A state window needs all items of its trigger. */
function needsUnmetItems({ policy }: Listener): boolean {
  return policy?.type === 'monitor'
}
