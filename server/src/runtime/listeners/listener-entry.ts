import type { SourceBinding } from '@tocsin/contract'
import type { SourceItem } from '../../engine/base/source-item.ts'
import type { Requirements } from '../../engine/conditions/requirements.ts'
import type { IndexEntry, MatchKeys } from '../../engine/match/index.ts'
import type { ItemReader } from '../../engine/sources/raw-items.ts'
import { demandsOf, earlyFilterOf, type ItemFilter, isOfRawItem, restFilterOf } from './item-filters.ts'
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
  // The fields that every hit reads come first, so that they share one or two cache lines. A private method or getter
  // would take a place before them.
  readonly triggerNumber: number
  readonly trigger: RegisteredTrigger
  #listeners: string[] | undefined
  readonly binding: SourceBinding | undefined
  /** The position of the key among the keys of the trigger's spec. */
  readonly keyNumber: number
  readonly reader: ItemReader
  readonly listenerKey: string | undefined
  readonly keys: MatchKeys
  readonly listener: Listener | undefined
  #earlyFilter: ItemFilter | undefined
  #restFilter: ItemFilter | undefined

  constructor(
    { trigger, number }: Pick<NumberedTrigger, 'trigger' | 'number'>,
    listener: Listener | undefined,
    { reader, binding, keyNumber, keys }: NumberedKeys,
  ) {
    this.triggerNumber = number
    this.trigger = trigger
    this.listenerKey = listener?.key
    this.keyNumber = keyNumber
    this.binding = binding
    this.reader = reader
    this.keys = keys
    this.listener = listener
  }

  /** The keys of its listener as a list, made for the first match: most matches have no other listener. */
  get listeners(): string[] {
    this.#listeners ??= this.listenerKey === undefined ? [] : [this.listenerKey]
    return this.#listeners
  }

  get id(): string {
    return entryId(this.trigger, this.listener, this.keyNumber)
  }

  /** Specs that share a decoder share the reader. */
  get decoder(): ItemReader {
    return this.reader
  }

  /** The same item may match several bindings of a trigger, and is another item in each. */
  keyOf(key: string): string {
    return this.binding ? `${key}:${this.binding.id}` : key
  }

  /** Computed only when the entry is added and removed. Keeping them for 100,000 entries would cost more memory. */
  get requirements(): Requirements['requirements'] {
    const lists = demandsOfEntry(this).flatMap(({ requirements }) => requirements)
    return this.binding ? lists.filter(isOfRawItem) : lists
  }

  get requirementsSuffice(): boolean {
    return this.canCheckRest && demandsOfEntry(this).every(({ requirementsSuffice }) => requirementsSuffice)
  }

  /** A raw item lacks the fields of its binding, so requirements on them must be checked with the rest. */
  get canCheckRest(): boolean {
    if (this.binding === undefined) return true
    return demandsOfEntry(this).every(({ requirements }) => requirements.every(isOfRawItem))
  }

  /** Compiled for the first item: most entries are decided by their requirements and never need the filter. */
  passes(item: SourceItem): boolean {
    this.#earlyFilter ??= earlyFilterOf(this.trigger, this.listener, this.binding)
    return this.#earlyFilter(item)
  }

  /** The same for an item that meets the requirements. */
  passesRest(item: SourceItem): boolean {
    this.#restFilter ??= restFilterOf(this.trigger, this.listener, this.binding)
    return this.#restFilter(item)
  }
}

function demandsOfEntry({ trigger, listener, binding }: ListenerEntry): Requirements[] {
  return demandsOf(trigger, listener, binding)
}

/** The number comes first, because the author of a rule chooses the end of an id: a numbered end could equal another id. */
export function entryId(trigger: RegisteredTrigger, listener: Listener | undefined, keyNumber: number): string {
  const id = listener?.key ?? `stream ${trigger.id}`
  return keyNumber === 0 ? id : `${keyNumber} ${id}`
}
